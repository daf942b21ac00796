//go:build cgo

// The kernels, with AVX2 and FMA: vectors of 8 lanes, panels of 16 candidates. Bytes are widened to
// 16 bits, two to a word.
//
// Products are exact, kept apart by APART, or added by explicit fused operations, so
// that it does not matter whether compilers contract them (cgo refuses
// -ffp-contract=off).

#include "kernels.h"
#include <immintrin.h>

#define FN __attribute__((target("avx2,fma,popcnt")))
#define UNROLL _Pragma("GCC unroll 4") // the longest such loop
enum { LANES = 8, PANEL = 2 * LANES, WIDE = LANES / 2 };

#define LOAD_I(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE_I(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define ADD_I _mm256_add_epi32
#define LOAD_I_AS_D(p) _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)(p)))
#define LOAD_F_AS_D(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
// Comparisons give a bit for each lane: LT is false for NaN, NGT is true for NaN.
#define LT_D(a, b) ((unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ)))
#define LT_F(a, b) ((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ)))
#define NGT_F(a, b) ((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_NGT_UQ)))

// popcount returns the number of set bits in each 32-bit lane: nibble counts
// from a table, summed over the lane.
FN static inline __m256i popcount(__m256i v) {
	const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
	                                       0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
	const __m256i nibble = _mm256_set1_epi8(15);
	__m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(v, nibble));
	__m256i high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
	__m256i pairs = _mm256_maddubs_epi16(_mm256_add_epi8(low, high), _mm256_set1_epi8(1));
	return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

FN static inline int32_t sum_lanes(__m256i v) {
	__m128i x = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
	x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0x4e));
	return _mm_cvtsi128_si32(_mm_add_epi32(x, _mm_shuffle_epi32(x, 0xb1)));
}

// DOTS defines a function that fills a tile with dot products, four queries
// and one panel at a time: the 8 accumulators stay in registers.
#define DOTS(NAME, WORD, OUT, VEC, ZERO, LOAD, SPREAD, STEP, STORE)                                            \
	FN void NAME(const WORD *queries, const WORD *candidates, ptrdiff_t words, ptrdiff_t rows,             \
	             ptrdiff_t panels, OUT *out, ptrdiff_t stride) {                                           \
		for (ptrdiff_t p = 0; p < panels; p++, candidates += words * PANEL, out += PANEL) {            \
			for (ptrdiff_t r = 0; r < rows; r += 4) {                                              \
				const WORD *q = queries + r * words, *c = candidates;                          \
				VEC sum[4][2];                                                                 \
				UNROLL for (int i = 0; i < 4; i++) sum[i][0] = sum[i][1] = ZERO();             \
				for (ptrdiff_t w = 0; w < words; w++, q++, c += PANEL) {                       \
					VEC low = LOAD(c), high = LOAD(c + LANES);                             \
					UNROLL for (int i = 0; i < 4; i++) {                                   \
						VEC word = SPREAD(q[i * words]);                               \
						sum[i][0] = STEP(sum[i][0], word, low);                        \
						sum[i][1] = STEP(sum[i][1], word, high);                       \
					}                                                                      \
				}                                                                              \
				UNROLL for (int i = 0; i < 4; i++) {                                           \
					STORE(out + (r + i) * stride, sum[i][0]);                              \
					STORE(out + (r + i) * stride + LANES, sum[i][1]);                      \
				}                                                                              \
			}                                                                                      \
		}                                                                                              \
	}
#define SPREAD_I(x) _mm256_set1_epi32((int32_t)(x))
#define STEP_UINT8(sum, a, b) ADD_I(sum, _mm256_madd_epi16(a, b))
#define STEP_BITS(sum, a, b) ADD_I(sum, popcount(_mm256_and_si256(a, b)))
#define STEP_FLOAT(sum, a, b) _mm256_fmadd_ps(a, b, sum)

DOTS(nn_dots_uint8, uint32_t, int32_t, __m256i, _mm256_setzero_si256, LOAD_I, SPREAD_I, STEP_UINT8, STORE_I)
DOTS(nn_dots_bits, uint32_t, int32_t, __m256i, _mm256_setzero_si256, LOAD_I, SPREAD_I, STEP_BITS, STORE_I)
DOTS(nn_dots_float, float, float, __m256, _mm256_setzero_ps, _mm256_loadu_ps, _mm256_set1_ps, STEP_FLOAT,
     _mm256_storeu_ps)

// LIVE has a bit for each of the n lanes that exist, counting n from this
// vector.
#define LIVE(n, lanes) ((n) >= (lanes) ? (1u << (lanes)) - 1 : (1u << (n)) - 1)
#define FOR_BITS(lane, bits) \
	for (unsigned left = (bits), lane; left && (lane = (unsigned)__builtin_ctz(left), 1); left &= left - 1)

// enter keeps the two smallest keys of a row. Columns come in ascending order,
// so strict comparison leaves ties to the lower column.
static inline void enter(struct nn_row *row, double key, int32_t col) {
	if (key < row->first) {
		row->second = row->first;
		row->second_row = row->first_row;
		row->first = key;
		row->first_row = col;
	} else if (key < row->second) {
		row->second = key;
		row->second_row = col;
	}
}

// count adds 1 to each 64-bit lane of counts where a comparison holds.
#define COUNT(counts, a, b, comparison) \
	_mm256_sub_epi64(counts, _mm256_castpd_si256(_mm256_cmp_pd(a, b, comparison)))

FN void nn_reduce(const int32_t *dots, ptrdiff_t stride, struct nn_row *rows, ptrdiff_t nrows,
                  const double *factor, const double *base, double *best, int32_t *best_row, ptrdiff_t ncols,
                  int32_t row0, int32_t col0) {
	for (ptrdiff_t r = 0; r < nrows; r++, dots += stride) {
		struct nn_row *row = rows + r;
		__m256d own_factor = _mm256_set1_pd(row->factor), own_base = _mm256_set1_pd(row->base);
		__m256d truth = _mm256_set1_pd(row->truth), second = _mm256_set1_pd(row->second);
		__m256i less = _mm256_setzero_si256(), equal = _mm256_setzero_si256(); // in lanes of 64 bits
		for (ptrdiff_t j = 0; j < ncols; j += WIDE) { // those beyond are padding
			__m256d dot = LOAD_I_AS_D(dots + j);
			__m256d key = _mm256_fmadd_pd(dot, _mm256_loadu_pd(factor + j), _mm256_loadu_pd(base + j));
			__m256d back = _mm256_fmadd_pd(dot, own_factor, own_base);
			less = COUNT(less, key, truth, _CMP_LT_OQ);
			equal = COUNT(equal, key, truth, _CMP_EQ_OQ);
			unsigned nearer = LT_D(key, second), better = LT_D(back, _mm256_loadu_pd(best + j));
			if (nearer | better) {
				double keys[WIDE], backs[WIDE];
				_mm256_storeu_pd(keys, key);
				_mm256_storeu_pd(backs, back);
				FOR_BITS(l, nearer) enter(row, keys[l], col0 + (int32_t)(j + l));
				second = _mm256_set1_pd(row->second);
				FOR_BITS(l, better) {
					best[j + l] = backs[l];
					best_row[j + l] = row0 + (int32_t)r;
				}
			}
		}
		row->less += sum_lanes(less);
		row->equal += sum_lanes(equal);
	}
}

FN ptrdiff_t nn_reduce_bounded(const float *dots, ptrdiff_t stride, struct nn_row_bounded *rows,
                               ptrdiff_t nrows, const float *lo, const float *hi, const float *slack, float *best,
                               ptrdiff_t ncols, struct nn_event *events) {
	struct nn_event *event = events;
	__m256 two = _mm256_set1_ps(2);
	for (ptrdiff_t r = 0; r < nrows; r++, dots += stride) {
		struct nn_row_bounded *row = rows + r;
		__m256 own_lo = _mm256_set1_ps(row->lo), own_hi = _mm256_set1_ps(row->hi);
		__m256 truth_lo = _mm256_set1_ps(row->truth_lo), truth_hi = _mm256_set1_ps(row->truth_hi);
		__m256 second = _mm256_set1_ps(row->second + row->slack);
		int less = 0;
		for (ptrdiff_t j = 0; j < ncols; j += LANES) {
			unsigned live = LIVE(ncols - j, LANES);
			__m256 dot = _mm256_loadu_ps(dots + j);
			__m256 key_lo = _mm256_fnmadd_ps(two, dot, _mm256_loadu_ps(lo + j));
			__m256 key_hi = _mm256_fnmadd_ps(two, dot, _mm256_loadu_ps(hi + j));
			unsigned below = LT_F(key_hi, truth_lo) & live;
			less += __builtin_popcount(below);
			unsigned rank = NGT_F(key_lo, truth_hi) & live & ~below;
			unsigned near = NGT_F(key_lo, second) & live;
			__m256 back_lo = _mm256_fnmadd_ps(two, dot, own_lo), back_hi = _mm256_fnmadd_ps(two, dot, own_hi);
			__m256 nearest = _mm256_min_ps(back_hi, _mm256_loadu_ps(best + j)); // best if either is NaN
			_mm256_storeu_ps(best + j, nearest);
			unsigned column = NGT_F(back_lo, _mm256_add_ps(nearest, _mm256_loadu_ps(slack + j))) & live;
			if (rank | near | column) {
				float keys[LANES];
				_mm256_storeu_ps(keys, key_hi);
				FOR_BITS(l, rank | near | column) {
					unsigned bit = 1u << l;
					event->row = (uint16_t)r;
					event->col = (uint16_t)(j + l);
					event->kinds = (uint16_t)((rank & bit ? NN_RANK : 0) | (near & bit ? NN_ROW : 0) |
					                          (column & bit ? NN_COLUMN : 0));
					event++;
					if (keys[l] < row->first) {
						row->second = row->first;
						row->first = keys[l];
					} else if (keys[l] < row->second) {
						row->second = keys[l];
					}
				}
				second = _mm256_set1_ps(row->second + row->slack);
			}
		}
		row->less += less;
	}
	return event - events;
}

// WITHIN defines a function that lists the pairs of a tile that are not beyond the
// limits of their queries. Twice a dot product is exact, so fusing would change
// nothing.
#define WITHIN(NAME, DOT, LOAD_AS_D)                                                                           \
	FN void NAME(const DOT *dots, ptrdiff_t stride, struct nn_query *queries, ptrdiff_t nrows,             \
	             const double *norms, ptrdiff_t ncols, ptrdiff_t col0, struct nn_near *near) {             \
		for (ptrdiff_t r = 0; r < nrows; r++, dots += stride) {                                        \
			__m256d norm = _mm256_set1_pd(queries[r].norm), limit = _mm256_set1_pd(queries[r].limit); \
			struct nn_near *first = near;                                                          \
			for (ptrdiff_t j = 0; j < ncols; j += WIDE) {                                          \
				__m256d dot = LOAD_AS_D(dots + j);                                             \
				__m256d sum = _mm256_add_pd(norm, _mm256_loadu_pd(norms + j));                 \
				__m256d d2 = _mm256_sub_pd(sum, _mm256_add_pd(dot, dot));                      \
				unsigned found = ~LT_D(limit, d2) & LIVE(ncols - j, WIDE);                     \
				if (found) {                                                                   \
					double values[WIDE];                                                   \
					_mm256_storeu_pd(values, d2);                                          \
					FOR_BITS(l, found) *near++ = (struct nn_near){col0 + j + l, values[l]}; \
				}                                                                              \
			}                                                                                      \
			queries[r].near = near - first;                                                        \
		}                                                                                              \
	}

WITHIN(nn_within_int, int32_t, LOAD_I_AS_D)
WITHIN(nn_within_float, float, LOAD_F_AS_D)

// LOAD_B returns 16 bytes widened to 16 bits.
#define LOAD_B(p) _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(p)))

// It processes two candidates at a time, the last one twice if their number is odd.
FN void nn_list_uint8(const uint8_t *query, const uint8_t *rows, ptrdiff_t dim, const int32_t *list, ptrdiff_t n,
                      double *out) {
	for (ptrdiff_t k = 0; k < n; k += 2) {
		ptrdiff_t last = k + 1 < n ? k + 1 : k;
		const uint8_t *a = rows + list[k] * dim, *b = rows + list[last] * dim;
		__m256i sum_a = _mm256_setzero_si256(), sum_b = _mm256_setzero_si256();
		ptrdiff_t i = 0;
		for (; i + 2 * LANES <= dim; i += 2 * LANES) {
			__m256i own = LOAD_B(query + i);
			sum_a = ADD_I(sum_a, _mm256_madd_epi16(own, LOAD_B(a + i)));
			sum_b = ADD_I(sum_b, _mm256_madd_epi16(own, LOAD_B(b + i)));
		}
		int32_t dot_a = sum_lanes(sum_a), dot_b = sum_lanes(sum_b);
		for (; i < dim; i++) {
			dot_a += (int32_t)query[i] * a[i];
			dot_b += (int32_t)query[i] * b[i];
		}
		out[k] = dot_a;
		out[last] = dot_b;
	}
}

FN void nn_list_bits(const uint8_t *query, const uint8_t *rows, ptrdiff_t dim, const int32_t *list, ptrdiff_t n,
                     double *out) {
	for (ptrdiff_t k = 0; k < n; k++) {
		const uint8_t *row = rows + list[k] * dim;
		int32_t dot = 0;
		ptrdiff_t i = 0;
		for (; i + 8 <= dim; i += 8) {
			uint64_t a, b;
			memcpy(&a, query + i, 8);
			memcpy(&b, row + i, 8);
			dot += __builtin_popcountll(a & b);
		}
		for (; i < dim; i++) dot += __builtin_popcount(query[i] & row[i]);
		out[k] = dot;
	}
}

// APART keeps the compiler from fusing the operation that computes v with the one that uses it.
#define APART(v) __asm__("" : "+x"(v))

// add_squares adds one square of a candidate to each lane of n vectors of sums, in the order and with
// the rounding of the canonical distance.
FN static inline __attribute__((always_inline)) void add_squares(__m256d *sum, int n, float element, const float *column) {
	__m256d own = _mm256_set1_pd(element);
	UNROLL for (int v = 0; v < n; v++) {
		__m256d difference = _mm256_sub_pd(own, LOAD_F_AS_D(column + v * WIDE));
		__m256d square = _mm256_mul_pd(difference, difference);
		APART(square);
		sum[v] = _mm256_add_pd(sum[v], square);
	}
}

FN void nn_row_float(const float *query, const float *candidates, ptrdiff_t words, ptrdiff_t first, ptrdiff_t n,
                     double *out) {
	enum { VECTORS = PANEL / WIDE };
	ptrdiff_t skip = first % PANEL;
	const float *c = candidates + (first - skip) * words;
	while (n > 0) {
		__m256d sum[VECTORS];
		UNROLL for (int v = 0; v < VECTORS; v++) sum[v] = _mm256_setzero_pd();
		for (ptrdiff_t w = 0; w < words; w++, c += PANEL) add_squares(sum, VECTORS, query[w], c);
		double distances[PANEL];
		UNROLL for (int v = 0; v < VECTORS; v++) _mm256_storeu_pd(distances + v * WIDE, _mm256_sqrt_pd(sum[v]));
		ptrdiff_t live = n < PANEL - skip ? n : PANEL - skip;
		for (ptrdiff_t j = 0; j < live; j++) out[j] = distances[skip + j];
		out += live, n -= live, skip = 0;
	}
}

// columns_of transposes elements i to i+3 of eight rows into columns.
FN static inline void columns_of(const float *const rows[8], ptrdiff_t i, float columns[4][8]) {
	__m256 pair[4]; // rows l and l+4 side by side
	UNROLL for (int l = 0; l < 4; l++)
		pair[l] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[l] + i)),
		                               _mm_loadu_ps(rows[l + 4] + i), 1);
	__m256 low0 = _mm256_unpacklo_ps(pair[0], pair[1]), low1 = _mm256_unpacklo_ps(pair[2], pair[3]);
	__m256 high0 = _mm256_unpackhi_ps(pair[0], pair[1]), high1 = _mm256_unpackhi_ps(pair[2], pair[3]);
	_mm256_storeu_ps(columns[0], _mm256_shuffle_ps(low0, low1, 0x44));
	_mm256_storeu_ps(columns[1], _mm256_shuffle_ps(low0, low1, 0xee));
	_mm256_storeu_ps(columns[2], _mm256_shuffle_ps(high0, high1, 0x44));
	_mm256_storeu_ps(columns[3], _mm256_shuffle_ps(high0, high1, 0xee));
}

// It processes eight candidates at a time, one per lane; the last candidate
// fills the missing lanes.
FN void nn_list_float(const float *query, const float *rows, ptrdiff_t dim, const int32_t *list, ptrdiff_t n,
                      double *out) {
	for (ptrdiff_t k = 0; k < n; k += 8) {
		const float *row[8];
		for (ptrdiff_t l = 0; l < 8; l++) row[l] = rows + list[k + l < n ? k + l : n - 1] * dim;
		__m256d sum[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
		for (ptrdiff_t i = 0; i < dim; i += 4) {
			float columns[4][8];
			ptrdiff_t live = dim - i < 4 ? dim - i : 4;
			if (live == 4) {
				columns_of(row, i, columns);
				UNROLL for (int e = 0; e < 4; e++) add_squares(sum, 2, query[i + e], columns[e]);
			} else {
				for (ptrdiff_t e = 0; e < live; e++) {
					for (int l = 0; l < 8; l++) columns[e][l] = row[l][i + e];
					add_squares(sum, 2, query[i + e], columns[e]);
				}
			}
		}
		double squares[8];
		UNROLL for (int v = 0; v < 2; v++) _mm256_storeu_pd(squares + v * WIDE, sum[v]);
		for (ptrdiff_t l = 0; l < 8 && k + l < n; l++) out[k + l] = squares[l];
	}
}
