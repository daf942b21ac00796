//go:build cgo

package nearest

/*
#cgo CFLAGS: -O3
#cgo noescape nn_call_dots
#cgo nocallback nn_call_dots
#cgo noescape nn_call_reduce
#cgo nocallback nn_call_reduce
#cgo noescape nn_call_reduce_bounded
#cgo nocallback nn_call_reduce_bounded
#cgo noescape nn_call_within
#cgo nocallback nn_call_within
#cgo noescape nn_call_list
#cgo nocallback nn_call_list
#cgo noescape nn_call_row_float
#cgo nocallback nn_call_row_float

#include "kernels.h"
*/
import "C"

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// The layouts that Go and C share have the same size; otherwise this does not
// compile.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(rowState{})-unsafe.Sizeof(C.struct_nn_row{})]
	_ = [1]struct{}{}[unsafe.Sizeof(boundedRow{})-unsafe.Sizeof(C.struct_nn_row_bounded{})]
	_ = [1]struct{}{}[unsafe.Sizeof(scanQuery{})-unsafe.Sizeof(C.struct_nn_query{})]
	_ = [1]struct{}{}[unsafe.Sizeof(Near{})-unsafe.Sizeof(C.struct_nn_near{})]
	_ = [1]struct{}{}[unsafe.Sizeof(event{})-unsafe.Sizeof(C.struct_nn_event{})]
)

// nativeKernels returns the C kernels that this processor can run, best first.
func nativeKernels() []kernel {
	x := &cpu.X86
	if !x.HasAVX2 || !x.HasFMA || !x.HasPOPCNT {
		return nil
	}
	avx2 := kernelOf("avx2", &C.nn_kernels_avx2, 16, packWords(1, 2, widenTwo), packWords(16, 2, widenTwo))
	if !x.HasAVX512F || !x.HasAVX512BW || !x.HasAVX512VL || !x.HasAVX512VNNI {
		return []kernel{avx2}
	}
	popcnt := kernelOf("avx512vpopcntdq", &C.nn_kernels_avx512, 64, offset128(packBytes(1)), packWords(64, 4, less128))
	vnni := popcnt
	vnni.name, vnni.bits = "avx512vnni", avx2.bits
	if !x.HasAVX512VPOPCNTDQ {
		return []kernel{vnni, avx2}
	}
	return []kernel{popcnt, vnni, avx2}
}

// kernelOf returns the C kernels of an instruction set for panels of the given
// size and uint8 rows packed with the given packers.
func kernelOf(name string, c *C.struct_nn_kernels, panel int, queries, candidates packer) kernel {
	return kernel{
		name:          name,
		uint8:         products[int32]{queries, candidates, dotsWith[int32](c.dots_uint8, panel)},
		bits:          products[int32]{packBytes(1), packBytes(panel), dotsWith[int32](c.dots_bits, panel)},
		float:         products[float32]{packFloats(1), packFloats(panel), dotsWith[float32](c.dots_float, panel)},
		reduce:        reduceWith(c.reduce),
		reduceBounded: reduceBoundedWith(c.reduce_bounded),
		withinInt:     withinWith[int32](c.within_int),
		withinFloat:   withinWith[float32](c.within_float),
		rowFloat:      rowFloatWith(c.row_float),
		listUint8:     listRowsWith[uint8](c.list_uint8),
		listBits:      listRowsWith[uint8](c.list_bits),
		listFloat:     listRowsWith[float32](c.list_float),
	}
}

// startOf returns the initial values of the dot products from this query on.
func startOf(queries packed, query int) *C.int32_t {
	if queries.start == nil {
		return nil
	}
	return (*C.int32_t)(&queries.start[query])
}

func dotsWith[T int32 | float32](f C.nn_dots, panel int) func([]T, tile, packed, packed) {
	return func(out []T, t tile, queries, candidates packed) {
		C.nn_call_dots(f,
			unsafe.Pointer(&queries.words[t.row0*queries.perRow]), startOf(queries, t.row0),
			unsafe.Pointer(&candidates.words[t.col0*candidates.perRow]), C.ptrdiff_t(queries.perRow),
			C.ptrdiff_t((t.rows+3)&^3), C.ptrdiff_t((t.cols+panel-1)/panel), unsafe.Pointer(&out[0]), C.ptrdiff_t(t.stride))
	}
}

func reduceWith(f C.nn_reduce) reduceFunc {
	return func(dots []int32, t tile, rows []rowState, candidates terms, c columns) {
		C.nn_call_reduce(f, (*C.int32_t)(&dots[0]), C.ptrdiff_t(t.stride),
			(*C.struct_nn_row)(unsafe.Pointer(&rows[t.row0])), C.ptrdiff_t(t.rows),
			(*C.double)(&candidates.factor[t.col0]), (*C.double)(&candidates.base[t.col0]),
			(*C.double)(&c.best[t.col0]), (*C.int32_t)(&c.row[t.col0]),
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

func withinWith[T int32 | float32](f C.nn_within) withinFunc[T] {
	return func(dots []T, t tile, queries []scanQuery, norms []float64, near []Near) {
		C.nn_call_within(f, unsafe.Pointer(&dots[0]), C.ptrdiff_t(t.stride),
			(*C.struct_nn_query)(unsafe.Pointer(&queries[t.row0])), C.ptrdiff_t(t.rows),
			(*C.double)(&norms[t.col0]), C.ptrdiff_t(t.cols), C.ptrdiff_t(t.col0),
			(*C.struct_nn_near)(unsafe.Pointer(&near[0])))
	}
}

func listRowsWith[E uint8 | float32](f C.nn_list) listFunc[E] {
	return func(dst []float64, query, rows []E, list []int32) {
		C.nn_call_list(f, unsafe.Pointer(&query[0]), unsafe.Pointer(&rows[0]), C.ptrdiff_t(len(query)),
			(*C.int32_t)(&list[0]), C.ptrdiff_t(len(list)), (*C.double)(&dst[0]))
	}
}

func rowFloatWith(f C.nn_row_float) rowFunc {
	return func(dst []float64, query, first int, queries, candidates packed) {
		C.nn_call_row_float(f,
			(*C.float)(unsafe.Pointer(&queries.words[query*queries.perRow])), (*C.float)(unsafe.Pointer(&candidates.words[0])),
			C.ptrdiff_t(candidates.perRow), C.ptrdiff_t(first), C.ptrdiff_t(len(dst)), (*C.double)(&dst[0]))
	}
}
