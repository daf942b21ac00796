//go:build cgo

package nearest

/*
#cgo CFLAGS: -O3
#cgo noescape nn_call_dots
#cgo nocallback nn_call_dots
#cgo noescape nn_call_dots_float
#cgo nocallback nn_call_dots_float
#cgo noescape nn_call_reduce_int
#cgo nocallback nn_call_reduce_int
#cgo noescape nn_call_reduce_unit
#cgo nocallback nn_call_reduce_unit
#cgo noescape nn_call_reduce_bounded
#cgo nocallback nn_call_reduce_bounded

#include "kernels.h"

// Go cannot call a C function pointer; these can.

static inline void nn_call_dots(nn_dots f, const uint32_t *queries, const int32_t *start,
                                const uint32_t *candidates, ptrdiff_t words, ptrdiff_t rows,
                                ptrdiff_t panels, int32_t *out, ptrdiff_t stride) {
	f(queries, start, candidates, words, rows, panels, out, stride);
}

static inline void nn_call_dots_float(nn_dots_float f, const float *queries, const float *candidates,
                                      ptrdiff_t words, ptrdiff_t rows, ptrdiff_t panels, float *out,
                                      ptrdiff_t stride) {
	f(queries, candidates, words, rows, panels, out, stride);
}

static inline void nn_call_reduce_int(nn_reduce_int f, const int32_t *dots, ptrdiff_t stride,
                                      struct nn_row_int *rows, ptrdiff_t nrows, const int32_t *scale,
                                      int32_t *best, int32_t *best_row, ptrdiff_t ncols, int32_t row0,
                                      int32_t col0) {
	f(dots, stride, rows, nrows, scale, best, best_row, ncols, row0, col0);
}

static inline void nn_call_reduce_unit(nn_reduce_unit f, const int32_t *dots, ptrdiff_t stride,
                                       struct nn_row_unit *rows, ptrdiff_t nrows, const double *scale,
                                       double *best, int32_t *best_row, ptrdiff_t ncols, int32_t row0,
                                       int32_t col0) {
	f(dots, stride, rows, nrows, scale, best, best_row, ncols, row0, col0);
}

static inline ptrdiff_t nn_call_reduce_bounded(nn_reduce_bounded f, const float *dots, ptrdiff_t stride,
                                               struct nn_row_bounded *rows, ptrdiff_t nrows, const float *lo,
                                               const float *hi, const float *slack, float *best,
                                               ptrdiff_t ncols, struct nn_event *events) {
	return f(dots, stride, rows, nrows, lo, hi, slack, best, ncols, events);
}
*/
import "C"

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// The layouts that Go and C share have the same size; a difference does not
// compile.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(rowState[int32]{})-unsafe.Sizeof(C.struct_nn_row_int{})]
	_ = [1]struct{}{}[unsafe.Sizeof(rowState[float64]{})-unsafe.Sizeof(C.struct_nn_row_unit{})]
	_ = [1]struct{}{}[unsafe.Sizeof(boundedRow{})-unsafe.Sizeof(C.struct_nn_row_bounded{})]
	_ = [1]struct{}{}[unsafe.Sizeof(event{})-unsafe.Sizeof(C.struct_nn_event{})]
)

// nativeKernels returns the C kernels that this processor can run, best first.
func nativeKernels() []kernel {
	x := &cpu.X86
	if !x.HasAVX2 || !x.HasFMA || !x.HasPOPCNT {
		return nil
	}
	avx2 := kernel{
		name: "avx2",
		uint8: integerDots{
			panel: 16, bytesPerWord: 2,
			query: widenTwo, candidate: widenTwo,
			fill: fillWith(C.nn_dots(C.nn_dots_uint8_avx2), 16),
			row:  rowWith(C.nn_row(C.nn_row_uint8_avx2)),
			list: listWith(C.nn_list(C.nn_list_uint8_avx2)),
		},
		bits: integerDots{
			panel: 16, bytesPerWord: 4,
			query: binary.LittleEndian.Uint32, candidate: binary.LittleEndian.Uint32,
			fill: fillWith(C.nn_dots(C.nn_dots_bits_avx2), 16),
			row:  rowWith(C.nn_row(C.nn_row_bits_avx2)),
			list: listBits,
		},
		float: &floatDots{
			panel: 16,
			fill:  fillFloatWith(C.nn_dots_float(C.nn_dots_float_avx2), 16),
			row:   rowFloatWith(C.nn_row_float(C.nn_row_float_avx2)),
			list:  listFloatWith(C.nn_list_float(C.nn_list_float_avx2)),
		},
		reduceInt:     reduceIntWith(C.nn_reduce_int(C.nn_reduce_int_avx2)),
		reduceUnit:    reduceUnitWith(C.nn_reduce_unit(C.nn_reduce_unit_avx2)),
		reduceBounded: reduceBoundedWith(C.nn_reduce_bounded(C.nn_reduce_bounded_avx2)),
		finishRoot:    finishWith(C.nn_finish(C.nn_finish_root_avx2)),
		finishUnit:    finishWith(C.nn_finish(C.nn_finish_unit_avx2)),
	}
	if !x.HasAVX512F || !x.HasAVX512BW || !x.HasAVX512VL || !x.HasAVX512VNNI {
		return []kernel{avx2}
	}
	vnni := kernel{
		name: "avx512vnni",
		uint8: integerDots{
			panel: 64, bytesPerWord: 4,
			query:     binary.LittleEndian.Uint32,
			candidate: func(b []uint8) uint32 { return binary.LittleEndian.Uint32(b) ^ 0x80808080 }, // each less 128
			start:     offset128,
			fill:      fillWith(C.nn_dots(C.nn_dots_uint8_avx512), 64),
			row:       rowWith(C.nn_row(C.nn_row_uint8_avx512)),
			list:      listWith(C.nn_list(C.nn_list_uint8_avx512)),
		},
		bits: avx2.bits,
		float: &floatDots{
			panel: 64,
			fill:  fillFloatWith(C.nn_dots_float(C.nn_dots_float_avx512), 64),
			row:   rowFloatWith(C.nn_row_float(C.nn_row_float_avx512)),
			list:  listFloatWith(C.nn_list_float(C.nn_list_float_avx512)),
		},
		reduceInt:     reduceIntWith(C.nn_reduce_int(C.nn_reduce_int_avx512)),
		reduceUnit:    reduceUnitWith(C.nn_reduce_unit(C.nn_reduce_unit_avx512)),
		reduceBounded: reduceBoundedWith(C.nn_reduce_bounded(C.nn_reduce_bounded_avx512)),
		finishRoot:    finishWith(C.nn_finish(C.nn_finish_root_avx512)),
		finishUnit:    finishWith(C.nn_finish(C.nn_finish_unit_avx512)),
	}
	if !x.HasAVX512VPOPCNTDQ {
		return []kernel{vnni, avx2}
	}
	popcnt := vnni
	popcnt.name = "avx512vpopcntdq"
	popcnt.bits.panel = 64
	popcnt.bits.fill = fillWith(C.nn_dots(C.nn_dots_bits_avx512), 64)
	popcnt.bits.row = rowWith(C.nn_row(C.nn_row_bits_avx512))
	return []kernel{popcnt, vnni, avx2}
}

// widenTwo returns two bytes as the 16-bit halves of a word.
func widenTwo(b []uint8) uint32 { return uint32(b[0]) | uint32(b[1])<<16 }

// offset128 returns 128 Σ a_i, which Σ a_i (b_i − 128) lacks of a·b.
func offset128(row []uint8) int32 {
	sum := int32(0)
	for _, x := range row {
		sum += int32(x)
	}
	return 128 * sum
}

func fillWith(f C.nn_dots, panel int) func([]int32, tile, packed[uint32], packed[uint32]) {
	return func(out []int32, t tile, queries, candidates packed[uint32]) {
		C.nn_call_dots(f,
			(*C.uint32_t)(&queries.words[t.row0*queries.perRow]), (*C.int32_t)(&queries.start[t.row0]),
			(*C.uint32_t)(&candidates.words[t.col0*candidates.perRow]), C.ptrdiff_t(queries.perRow),
			C.ptrdiff_t((t.rows+3)&^3), C.ptrdiff_t((t.cols+panel-1)/panel), (*C.int32_t)(&out[0]), C.ptrdiff_t(t.stride))
	}
}

func fillFloatWith(f C.nn_dots_float, panel int) func([]float32, tile, packed[float32], packed[float32]) {
	return func(out []float32, t tile, queries, candidates packed[float32]) {
		C.nn_call_dots_float(f,
			(*C.float)(&queries.words[t.row0*queries.perRow]), (*C.float)(&candidates.words[t.col0*candidates.perRow]),
			C.ptrdiff_t(queries.perRow), C.ptrdiff_t((t.rows+3)&^3), C.ptrdiff_t((t.cols+panel-1)/panel),
			(*C.float)(&out[0]), C.ptrdiff_t(t.stride))
	}
}

func reduceIntWith(f C.nn_reduce_int) reduceFunc[int32] {
	return func(dots []int32, t tile, rows []rowState[int32], scale []int32, c columns[int32]) {
		C.nn_call_reduce_int(f, (*C.int32_t)(&dots[0]), C.ptrdiff_t(t.stride),
			(*C.struct_nn_row_int)(unsafe.Pointer(&rows[t.row0])), C.ptrdiff_t(t.rows),
			(*C.int32_t)(&scale[t.col0]), (*C.int32_t)(&c.best[t.col0]), (*C.int32_t)(&c.row[t.col0]),
			C.ptrdiff_t(t.cols), C.int32_t(t.row0), C.int32_t(t.col0))
	}
}

func reduceUnitWith(f C.nn_reduce_unit) reduceFunc[float64] {
	return func(dots []int32, t tile, rows []rowState[float64], scale []float64, c columns[float64]) {
		C.nn_call_reduce_unit(f, (*C.int32_t)(&dots[0]), C.ptrdiff_t(t.stride),
			(*C.struct_nn_row_unit)(unsafe.Pointer(&rows[t.row0])), C.ptrdiff_t(t.rows),
			(*C.double)(&scale[t.col0]), (*C.double)(&c.best[t.col0]), (*C.int32_t)(&c.row[t.col0]),
			C.ptrdiff_t(t.cols), C.int32_t(t.row0), C.int32_t(t.col0))
	}
}

func reduceBoundedWith(f C.nn_reduce_bounded) boundedFunc {
	return func(dots []float32, t tile, rows []boundedRow, c boundedColumns, memory []event) []event {
		n := C.nn_call_reduce_bounded(f, (*C.float)(&dots[0]), C.ptrdiff_t(t.stride),
			(*C.struct_nn_row_bounded)(unsafe.Pointer(&rows[t.row0])), C.ptrdiff_t(t.rows),
			(*C.float)(&c.lo[t.col0]), (*C.float)(&c.hi[t.col0]), (*C.float)(&c.slack[t.col0]),
			(*C.float)(&c.best[t.col0]), C.ptrdiff_t(t.cols), (*C.struct_nn_event)(unsafe.Pointer(&memory[0])))
		return memory[:n]
	}
}
