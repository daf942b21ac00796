// The C side of the amd64 kernels. The functions of a Search or a Scanner process one tile: the dot
// products of a few queries (its rows) with a run of candidates (its columns).

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

// dots set out[r*stride + j] to the dot product of query r and candidate j. Queries are rows of
// `words` words, candidates are interleaved panels. rows is a multiple of 4.
void nn_dots_uint8(const uint32_t *queries, const uint32_t *candidates, ptrdiff_t words, ptrdiff_t rows,
                   ptrdiff_t panels, int32_t *out, ptrdiff_t stride);
void nn_dots_bits(const uint32_t *queries, const uint32_t *candidates, ptrdiff_t words, ptrdiff_t rows,
                  ptrdiff_t panels, int32_t *out, ptrdiff_t stride);
void nn_dots_float(const float *queries, const float *candidates, ptrdiff_t words, ptrdiff_t rows,
                   ptrdiff_t panels, float *out, ptrdiff_t stride);

// reduce and reduce_bounded merge the tile into the queries' rows and into the columns: best
// and best_row hold the nearest query of each candidate so far. row0 and col0
// are the numbers of the tile's first query and candidate.
void nn_reduce(const int32_t *dots, ptrdiff_t stride, struct nn_row *rows, ptrdiff_t nrows, const double *factor,
               const double *base, double *best, int32_t *best_row, ptrdiff_t ncols, int32_t row0, int32_t col0);
// reduce_bounded returns the number of events written; there is room for nrows*ncols.
ptrdiff_t nn_reduce_bounded(const float *dots, ptrdiff_t stride, struct nn_row_bounded *rows, ptrdiff_t nrows,
                            const float *lo, const float *hi, const float *slack, float *best, ptrdiff_t ncols,
                            struct nn_event *events);

// within write the pairs whose squared distance does not exceed the limit of the query, or is NaN,
// query by query, and set the number of each query's; there is room for nrows*ncols. col0 is the
// number of the tile's first candidate.
void nn_within_int(const int32_t *dots, ptrdiff_t stride, struct nn_query *queries, ptrdiff_t nrows,
                   const double *norms, ptrdiff_t ncols, ptrdiff_t col0, struct nn_near *near);
void nn_within_float(const float *dots, ptrdiff_t stride, struct nn_query *queries, ptrdiff_t nrows,
                     const double *norms, ptrdiff_t ncols, ptrdiff_t col0, struct nn_near *near);

// The functions of a Measure take one query: row_float takes the candidates from first to first+n-1,
// interleaved as above, and writes distances; list take the rows with the given numbers, stored
// contiguously, and write dot products, list_float squared distances.
void nn_row_float(const float *query, const float *candidates, ptrdiff_t words, ptrdiff_t first, ptrdiff_t n,
                  double *out);
void nn_list_uint8(const uint8_t *query, const uint8_t *rows, ptrdiff_t dim, const int32_t *list, ptrdiff_t n,
                   double *out);
void nn_list_bits(const uint8_t *query, const uint8_t *rows, ptrdiff_t dim, const int32_t *list, ptrdiff_t n,
                  double *out);
void nn_list_float(const float *query, const float *rows, ptrdiff_t dim, const int32_t *list, ptrdiff_t n,
                   double *out);

#endif
