//go:build cgo

package nearest

/*
#cgo noescape nn_call_row
#cgo nocallback nn_call_row
#cgo noescape nn_call_list
#cgo nocallback nn_call_list
#cgo noescape nn_call_finish
#cgo nocallback nn_call_finish
#cgo noescape nn_call_row_float
#cgo nocallback nn_call_row_float
#cgo noescape nn_call_list_float
#cgo nocallback nn_call_list_float

#include "kernels.h"

static inline void nn_call_row(nn_row f, const uint32_t *query, int32_t start, const uint32_t *candidates,
                               ptrdiff_t words, ptrdiff_t first, ptrdiff_t n, double *out) {
	f(query, start, candidates, words, first, n, out);
}

static inline void nn_call_list(nn_list f, const uint8_t *query, const uint8_t *rows, ptrdiff_t dim,
                                const int32_t *list, ptrdiff_t n, double *out) {
	f(query, rows, dim, list, n, out);
}

static inline void nn_call_finish(nn_finish f, double *dots, double norm, const double *norms, ptrdiff_t n) {
	f(dots, norm, norms, n);
}

static inline void nn_call_row_float(nn_row_float f, const float *query, const float *candidates,
                                     ptrdiff_t words, ptrdiff_t first, ptrdiff_t n, double *out) {
	f(query, candidates, words, first, n, out);
}

static inline void nn_call_list_float(nn_list_float f, const float *query, const float *rows, ptrdiff_t dim,
                                      const int32_t *list, ptrdiff_t n, double *out) {
	f(query, rows, dim, list, n, out);
}
*/
import "C"

func rowWith(f C.nn_row) rowFunc {
	return func(dst []float64, query, first int, queries, candidates packed[uint32]) {
		C.nn_call_row(f,
			(*C.uint32_t)(&queries.words[query*queries.perRow]), C.int32_t(queries.start[query]),
			(*C.uint32_t)(&candidates.words[0]), C.ptrdiff_t(candidates.perRow),
			C.ptrdiff_t(first), C.ptrdiff_t(len(dst)), (*C.double)(&dst[0]))
	}
}

func listWith(f C.nn_list) listFunc {
	return func(dst []float64, query, rows []uint8, list []int32) {
		C.nn_call_list(f, (*C.uint8_t)(&query[0]), (*C.uint8_t)(&rows[0]), C.ptrdiff_t(len(query)),
			(*C.int32_t)(&list[0]), C.ptrdiff_t(len(list)), (*C.double)(&dst[0]))
	}
}

func finishWith(f C.nn_finish) finishFunc {
	return func(dots []float64, norm float64, norms []float64) {
		C.nn_call_finish(f, (*C.double)(&dots[0]), C.double(norm), (*C.double)(&norms[0]), C.ptrdiff_t(len(dots)))
	}
}

func rowFloatWith(f C.nn_row_float) func([]float64, []float32, int, packed[float32]) {
	return func(dst []float64, query []float32, first int, candidates packed[float32]) {
		C.nn_call_row_float(f, (*C.float)(&query[0]), (*C.float)(&candidates.words[0]), C.ptrdiff_t(candidates.perRow),
			C.ptrdiff_t(first), C.ptrdiff_t(len(dst)), (*C.double)(&dst[0]))
	}
}

func listFloatWith(f C.nn_list_float) func([]float64, []float32, []float32, []int32) {
	return func(dst []float64, query, rows []float32, list []int32) {
		C.nn_call_list_float(f, (*C.float)(&query[0]), (*C.float)(&rows[0]), C.ptrdiff_t(len(query)),
			(*C.int32_t)(&list[0]), C.ptrdiff_t(len(list)), (*C.double)(&dst[0]))
	}
}
