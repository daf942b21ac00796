// The C side of the amd64 kernels. Every function processes one tile: the dot
// products of a few queries (its rows) with a run of candidates (its columns).
// kernel_body.h contains the functions, once for all vector widths.

#ifndef DESCBENCH_NEAREST_KERNELS_H
#define DESCBENCH_NEAREST_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The state of one query; rowState and boundedRow on the Go side, which explain the fields.
struct nn_row {
	double factor, base, truth, first, second;
	int32_t first_row, second_row, less, equal;
};
struct nn_row_bounded {
	float lo, hi, truth_lo, truth_hi, slack, first, second;
	int32_t less;
};

// A query of a Scanner and a row near it; scanQuery and Near on the Go side.
struct nn_query {
	double norm, limit;
	int64_t near;
};
struct nn_near {
	int64_t row;
	double d2;
};

// A pair that the bounds cannot decide; event on the Go side.
struct nn_event {
	uint16_t row, col, kinds;
};
enum { NN_RANK = 1, NN_ROW = 2, NN_COLUMN = 4 };

// NN_KIND defines a function pointer type and a function that calls such a
// pointer, because Go cannot.
#define NN_KIND(RESULT, KIND, ARGUMENTS, ...)                              \
	typedef RESULT (*nn_##KIND)(__VA_ARGS__);                          \
	static inline RESULT nn_call_##KIND(nn_##KIND f, __VA_ARGS__) { return f ARGUMENTS; }

// dots sets out[r*stride + j] to the dot product of query r and candidate j, an int32_t
// or, of floats, a float. Queries are rows of `words` words, candidates are interleaved
// panels. start holds the initial values of each query's accumulators; NULL means 0, as
// always for floats. rows is a multiple of 4.
NN_KIND(void, dots, (queries, start, candidates, words, rows, panels, out, stride), const void *queries,
        const int32_t *start, const void *candidates, ptrdiff_t words, ptrdiff_t rows, ptrdiff_t panels, void *out,
        ptrdiff_t stride)

// reduce and reduce_bounded merge the tile into the queries' rows and into the columns: best
// and best_row hold the nearest query of each candidate so far. row0 and col0
// are the numbers of the tile's first query and candidate.
NN_KIND(void, reduce, (dots, stride, rows, nrows, factor, base, best, best_row, ncols, row0, col0),
        const int32_t *dots, ptrdiff_t stride, struct nn_row *rows, ptrdiff_t nrows, const double *factor,
        const double *base, double *best, int32_t *best_row, ptrdiff_t ncols, int32_t row0, int32_t col0)
// reduce_bounded returns the number of events written; there is room for
// nrows*ncols.
NN_KIND(ptrdiff_t, reduce_bounded, (dots, stride, rows, nrows, lo, hi, slack, best, ncols, events),
        const float *dots, ptrdiff_t stride, struct nn_row_bounded *rows, ptrdiff_t nrows, const float *lo,
        const float *hi, const float *slack, float *best, ptrdiff_t ncols, struct nn_event *events)

// within writes the pairs whose squared distance does not exceed the limit of the
// query, or is NaN, query by query, and sets the number of each query's; there is room
// for nrows*ncols. col0 is the number of the tile's first candidate.
NN_KIND(void, within, (dots, stride, queries, nrows, norms, ncols, col0, near), const void *dots,
        ptrdiff_t stride, struct nn_query *queries, ptrdiff_t nrows, const double *norms, ptrdiff_t ncols,
        ptrdiff_t col0, struct nn_near *near)

// The functions of a Measure take one query: row_float takes the candidates from
// first to first+n-1, interleaved as above; list takes the rows with the given
// numbers, stored contiguously. row_float writes distances; list writes dot products
// or, of floats, squared distances.
NN_KIND(void, row_float, (query, candidates, words, first, n, out), const float *query, const float *candidates,
        ptrdiff_t words, ptrdiff_t first, ptrdiff_t n, double *out)
NN_KIND(void, list, (query, rows, dim, list, n, out), const void *query, const void *rows, ptrdiff_t dim,
        const int32_t *list, ptrdiff_t n, double *out)

// The kernels of an instruction set.
struct nn_kernels {
	nn_dots dots_uint8, dots_bits, dots_float;
	nn_reduce reduce;
	nn_reduce_bounded reduce_bounded;
	nn_within within_int, within_float;
	nn_row_float row_float;
	nn_list list_uint8, list_bits, list_float;
};
extern const struct nn_kernels nn_kernels_avx2, nn_kernels_avx512;

#endif
