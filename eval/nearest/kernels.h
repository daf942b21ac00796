// The C side of the amd64 kernels. Every function works on one tile: the dot
// products of a few queries (its rows) with a run of candidates (its columns).
// kernel_body.h holds the functions, once for all vector widths.

#ifndef DESCBENCH_NEAREST_KERNELS_H
#define DESCBENCH_NEAREST_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// The state of one query; rowState[int32], rowState[float64] and boundedRow
// on the Go side, which explain the fields.
struct nn_row_int {
	int32_t scale, truth, first, second, first_row, second_row, less, equal;
};
struct nn_row_unit {
	double scale, truth, first, second;
	int32_t first_row, second_row, less, equal;
};
struct nn_row_bounded {
	float lo, hi, truth_lo, truth_hi, slack, first, second;
	int32_t less;
};

// A pair that the bounds cannot decide; event on the Go side.
struct nn_event {
	uint16_t row, col, kinds;
};
enum { NN_RANK = 1, NN_ROW = 2, NN_COLUMN = 4 };

// nn_dots fills out[r*stride + j] with the dot product of query r and
// candidate j. Queries are rows of `words` words, candidates are interleaved
// panels. start holds what the accumulators of each query begin with. rows is
// a multiple of 4.
typedef void (*nn_dots)(const uint32_t *queries, const int32_t *start, const uint32_t *candidates,
                        ptrdiff_t words, ptrdiff_t rows, ptrdiff_t panels, int32_t *out, ptrdiff_t stride);
typedef void (*nn_dots_float)(const float *queries, const float *candidates, ptrdiff_t words,
                              ptrdiff_t rows, ptrdiff_t panels, float *out, ptrdiff_t stride);

// nn_reduce_* fold the tile into the queries' rows and into the columns: best
// and best_row hold the nearest query of each candidate so far. row0 and col0
// are the numbers of the tile's first query and candidate.
typedef void (*nn_reduce_int)(const int32_t *dots, ptrdiff_t stride, struct nn_row_int *rows, ptrdiff_t nrows,
                              const int32_t *scale, int32_t *best, int32_t *best_row, ptrdiff_t ncols,
                              int32_t row0, int32_t col0);
typedef void (*nn_reduce_unit)(const int32_t *dots, ptrdiff_t stride, struct nn_row_unit *rows, ptrdiff_t nrows,
                               const double *scale, double *best, int32_t *best_row, ptrdiff_t ncols,
                               int32_t row0, int32_t col0);
// It returns the number of events written; there is room for nrows*ncols.
typedef ptrdiff_t (*nn_reduce_bounded)(const float *dots, ptrdiff_t stride, struct nn_row_bounded *rows,
                                       ptrdiff_t nrows, const float *lo, const float *hi, const float *slack,
                                       float *best, ptrdiff_t ncols, struct nn_event *events);

// The functions of a Measure take one query: nn_row the candidates from first
// to first+n-1, interleaved as above, nn_list the rows that list names, stored
// one after the other. Those of integers write dot products, which nn_finish
// replaces by distances; nn_row_float writes distances, nn_list_float their
// squares.
typedef void (*nn_row)(const uint32_t *query, int32_t start, const uint32_t *candidates, ptrdiff_t words,
                       ptrdiff_t first, ptrdiff_t n, double *out);
typedef void (*nn_list)(const uint8_t *query, const uint8_t *rows, ptrdiff_t dim, const int32_t *list,
                        ptrdiff_t n, double *out);
typedef void (*nn_finish)(double *dots, double norm, const double *norms, ptrdiff_t n);
typedef void (*nn_row_float)(const float *query, const float *candidates, ptrdiff_t words, ptrdiff_t first,
                             ptrdiff_t n, double *out);
typedef void (*nn_list_float)(const float *query, const float *rows, ptrdiff_t dim, const int32_t *list,
                              ptrdiff_t n, double *out);

#define NN_DECLARE_DOTS(name)                                                                            \
	void name(const uint32_t *, const int32_t *, const uint32_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t,     \
	          int32_t *, ptrdiff_t)
#define NN_DECLARE_LEVEL(level)                                                                          \
	NN_DECLARE_DOTS(nn_dots_uint8_##level);                                                             \
	NN_DECLARE_DOTS(nn_dots_bits_##level);                                                              \
	void nn_dots_float_##level(const float *, const float *, ptrdiff_t, ptrdiff_t, ptrdiff_t, float *,  \
	                           ptrdiff_t);                                                              \
	void nn_reduce_int_##level(const int32_t *, ptrdiff_t, struct nn_row_int *, ptrdiff_t,              \
	                           const int32_t *, int32_t *, int32_t *, ptrdiff_t, int32_t, int32_t);     \
	void nn_reduce_unit_##level(const int32_t *, ptrdiff_t, struct nn_row_unit *, ptrdiff_t,            \
	                            const double *, double *, int32_t *, ptrdiff_t, int32_t, int32_t);      \
	ptrdiff_t nn_reduce_bounded_##level(const float *, ptrdiff_t, struct nn_row_bounded *, ptrdiff_t,   \
	                                    const float *, const float *, const float *, float *,           \
	                                    ptrdiff_t, struct nn_event *);                                  \
	void nn_row_uint8_##level(const uint32_t *, int32_t, const uint32_t *, ptrdiff_t, ptrdiff_t,        \
	                          ptrdiff_t, double *);                                                     \
	void nn_row_bits_##level(const uint32_t *, int32_t, const uint32_t *, ptrdiff_t, ptrdiff_t,         \
	                         ptrdiff_t, double *);                                                      \
	void nn_list_uint8_##level(const uint8_t *, const uint8_t *, ptrdiff_t, const int32_t *, ptrdiff_t, \
	                           double *);                                                               \
	void nn_finish_root_##level(double *, double, const double *, ptrdiff_t);                           \
	void nn_finish_unit_##level(double *, double, const double *, ptrdiff_t);                           \
	void nn_row_float_##level(const float *, const float *, ptrdiff_t, ptrdiff_t, ptrdiff_t, double *); \
	void nn_list_float_##level(const float *, const float *, ptrdiff_t, const int32_t *, ptrdiff_t,     \
	                           double *)
NN_DECLARE_LEVEL(avx2);
NN_DECLARE_LEVEL(avx512);

#endif
