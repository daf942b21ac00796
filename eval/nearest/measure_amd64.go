//go:build cgo

package nearest

/*
#cgo noescape nn_call_list
#cgo nocallback nn_call_list
#cgo noescape nn_call_row_float
#cgo nocallback nn_call_row_float
#cgo noescape nn_call_list_float
#cgo nocallback nn_call_list_float

#include "kernels.h"
*/
import "C"

func listBytesWith(f C.nn_list) listFunc[uint8] {
	return func(dst []float64, query, rows []uint8, list []int32) {
		C.nn_call_list(f, (*C.uint8_t)(&query[0]), (*C.uint8_t)(&rows[0]), C.ptrdiff_t(len(query)),
			(*C.int32_t)(&list[0]), C.ptrdiff_t(len(list)), (*C.double)(&dst[0]))
	}
}

func rowFloatWith(f C.nn_row_float) rowFunc {
	return func(dst []float64, query, first int, queries, candidates packed) {
		C.nn_call_row_float(f,
			(*C.float)(&queries.floats[query*queries.perRow]), (*C.float)(&candidates.floats[0]), C.ptrdiff_t(candidates.perRow),
			C.ptrdiff_t(first), C.ptrdiff_t(len(dst)), (*C.double)(&dst[0]))
	}
}

func listFloatWith(f C.nn_list_float) listFunc[float32] {
	return func(dst []float64, query, rows []float32, list []int32) {
		C.nn_call_list_float(f, (*C.float)(&query[0]), (*C.float)(&rows[0]), C.ptrdiff_t(len(query)),
			(*C.int32_t)(&list[0]), C.ptrdiff_t(len(list)), (*C.double)(&dst[0]))
	}
}
