//go:build cgo

package nearest

/*
#cgo CFLAGS: -O3
#cgo noescape nn_dots_uint8
#cgo nocallback nn_dots_uint8
#cgo noescape nn_dots_bits
#cgo nocallback nn_dots_bits
#cgo noescape nn_dots_float
#cgo nocallback nn_dots_float
#cgo noescape nn_reduce
#cgo nocallback nn_reduce
#cgo noescape nn_reduce_bounded
#cgo nocallback nn_reduce_bounded
#cgo noescape nn_within_int
#cgo nocallback nn_within_int
#cgo noescape nn_within_float
#cgo nocallback nn_within_float
#cgo noescape nn_row_float
#cgo nocallback nn_row_float
#cgo noescape nn_list_uint8
#cgo nocallback nn_list_uint8
#cgo noescape nn_list_bits
#cgo nocallback nn_list_bits
#cgo noescape nn_list_float
#cgo nocallback nn_list_float

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

// nativeKernels returns the C kernels if this processor can run them.
func nativeKernels() []kernel {
	if x := &cpu.X86; !x.HasAVX2 || !x.HasFMA || !x.HasPOPCNT {
		return nil
	}
	return []kernel{{
		name:          "avx2",
		uint8:         products[int32]{packWords(1, 2, widenTwo), packWords(panel, 2, widenTwo), avx2DotsUint8},
		bits:          products[int32]{packBytes(1), packBytes(panel), avx2DotsBits},
		float:         products[float32]{packFloats(1), packFloats(panel), avx2DotsFloat},
		reduce:        avx2Reduce,
		reduceBounded: avx2ReduceBounded,
		withinInt:     avx2WithinInt,
		withinFloat:   avx2WithinFloat,
		rowFloat:      avx2RowFloat,
		listUint8:     avx2ListUint8,
		listBits:      avx2ListBits,
		listFloat:     avx2ListFloat,
	}}
}

func avx2DotsUint8(out []int32, t tile, queries, candidates packed) {
	C.nn_dots_uint8((*C.uint32_t)(&queries.words[t.row0*queries.perRow]), (*C.uint32_t)(&candidates.words[t.col0*candidates.perRow]),
		C.ptrdiff_t(queries.perRow), fours(t.rows), panels(t.cols), (*C.int32_t)(&out[0]), C.ptrdiff_t(t.stride))
}

func avx2DotsBits(out []int32, t tile, queries, candidates packed) {
	C.nn_dots_bits((*C.uint32_t)(&queries.words[t.row0*queries.perRow]), (*C.uint32_t)(&candidates.words[t.col0*candidates.perRow]),
		C.ptrdiff_t(queries.perRow), fours(t.rows), panels(t.cols), (*C.int32_t)(&out[0]), C.ptrdiff_t(t.stride))
}

func avx2DotsFloat(out []float32, t tile, queries, candidates packed) {
	C.nn_dots_float((*C.float)(&queries.floats[t.row0*queries.perRow]), (*C.float)(&candidates.floats[t.col0*candidates.perRow]),
		C.ptrdiff_t(queries.perRow), fours(t.rows), panels(t.cols), (*C.float)(&out[0]), C.ptrdiff_t(t.stride))
}

// fours returns a number of rows rounded up to a multiple of four.
func fours(rows int) C.ptrdiff_t { return C.ptrdiff_t((rows + 3) &^ 3) }

// panels returns the number of panels that columns fill.
func panels(cols int) C.ptrdiff_t { return C.ptrdiff_t(padded(cols) / panel) }

func avx2Reduce(dots []int32, t tile, rows []rowState, candidates terms, c columns) {
	C.nn_reduce((*C.int32_t)(&dots[0]), C.ptrdiff_t(t.stride),
		(*C.struct_nn_row)(unsafe.Pointer(&rows[t.row0])), C.ptrdiff_t(t.rows),
		(*C.double)(&candidates.factor[t.col0]), (*C.double)(&candidates.base[t.col0]),
		(*C.double)(&c.best[t.col0]), (*C.int32_t)(&c.row[t.col0]),
		C.ptrdiff_t(t.cols), C.int32_t(t.row0), C.int32_t(t.col0))
}

func avx2ReduceBounded(dots []float32, t tile, rows []boundedRow, c boundedColumns, memory []event) []event {
	n := C.nn_reduce_bounded((*C.float)(&dots[0]), C.ptrdiff_t(t.stride),
		(*C.struct_nn_row_bounded)(unsafe.Pointer(&rows[t.row0])), C.ptrdiff_t(t.rows),
		(*C.float)(&c.lo[t.col0]), (*C.float)(&c.hi[t.col0]), (*C.float)(&c.slack[t.col0]),
		(*C.float)(&c.best[t.col0]), C.ptrdiff_t(t.cols), (*C.struct_nn_event)(unsafe.Pointer(&memory[0])))
	return memory[:n]
}

func avx2WithinInt(dots []int32, t tile, queries []scanQuery, norms []float64, near []Near) {
	C.nn_within_int((*C.int32_t)(&dots[0]), C.ptrdiff_t(t.stride),
		(*C.struct_nn_query)(unsafe.Pointer(&queries[t.row0])), C.ptrdiff_t(t.rows),
		(*C.double)(&norms[t.col0]), C.ptrdiff_t(t.cols), C.ptrdiff_t(t.col0), (*C.struct_nn_near)(unsafe.Pointer(&near[0])))
}

func avx2WithinFloat(dots []float32, t tile, queries []scanQuery, norms []float64, near []Near) {
	C.nn_within_float((*C.float)(&dots[0]), C.ptrdiff_t(t.stride),
		(*C.struct_nn_query)(unsafe.Pointer(&queries[t.row0])), C.ptrdiff_t(t.rows),
		(*C.double)(&norms[t.col0]), C.ptrdiff_t(t.cols), C.ptrdiff_t(t.col0), (*C.struct_nn_near)(unsafe.Pointer(&near[0])))
}

func avx2RowFloat(dst []float64, query, first int, queries, candidates packed) {
	C.nn_row_float((*C.float)(&queries.floats[query*queries.perRow]), (*C.float)(&candidates.floats[0]),
		C.ptrdiff_t(candidates.perRow), C.ptrdiff_t(first), C.ptrdiff_t(len(dst)), (*C.double)(&dst[0]))
}

func avx2ListUint8(dst []float64, query, rows []uint8, list []int32) {
	C.nn_list_uint8((*C.uint8_t)(&query[0]), (*C.uint8_t)(&rows[0]), C.ptrdiff_t(len(query)),
		(*C.int32_t)(&list[0]), C.ptrdiff_t(len(list)), (*C.double)(&dst[0]))
}

func avx2ListBits(dst []float64, query, rows []uint8, list []int32) {
	C.nn_list_bits((*C.uint8_t)(&query[0]), (*C.uint8_t)(&rows[0]), C.ptrdiff_t(len(query)),
		(*C.int32_t)(&list[0]), C.ptrdiff_t(len(list)), (*C.double)(&dst[0]))
}

func avx2ListFloat(dst []float64, query, rows []float32, list []int32) {
	C.nn_list_float((*C.float)(&query[0]), (*C.float)(&rows[0]), C.ptrdiff_t(len(query)),
		(*C.int32_t)(&list[0]), C.ptrdiff_t(len(list)), (*C.double)(&dst[0]))
}
