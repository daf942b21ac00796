// The kernels of a Measure: one query and a run or a list of candidates. In
// addition to the definitions that kernel_body.h requires, the including file
// defines
//
//	LOAD_F_AS_D  LANES/2 floats as doubles
//	LOAD_B       2*LANES bytes widened to 16 bits
//	MADD_I       products of 16-bit lanes, neighbours added
//	APART(v)     keeps the compiler from fusing the operation that computes v,
//	             a double or a vector of them, with the one that uses it

enum { WIDE_D = LANES / 2 };

// It processes two candidates at a time, the last one twice if their number is odd.
FN static void LEVEL(list_uint8)(const void *own, const void *others, ptrdiff_t dim, const int32_t *list, ptrdiff_t n,
                             double *out) {
	const uint8_t *query = own, *rows = others;
	for (ptrdiff_t k = 0; k < n; k += 2) {
		ptrdiff_t last = k + 1 < n ? k + 1 : k;
		const uint8_t *a = rows + list[k] * dim, *b = rows + list[last] * dim;
		VI sum_a = SET_I(0), sum_b = SET_I(0);
		ptrdiff_t i = 0;
		for (; i + 2 * LANES <= dim; i += 2 * LANES) {
			VI own = LOAD_B(query + i);
			sum_a = ADD_I(sum_a, MADD_I(own, LOAD_B(a + i)));
			sum_b = ADD_I(sum_b, MADD_I(own, LOAD_B(b + i)));
		}
		int32_t dot_a = SUM_I(sum_a), dot_b = SUM_I(sum_b);
		for (; i < dim; i++) {
			dot_a += (int32_t)query[i] * a[i];
			dot_b += (int32_t)query[i] * b[i];
		}
		out[k] = dot_a;
		out[last] = dot_b;
	}
}

FN static void LEVEL(list_bits)(const void *own, const void *others, ptrdiff_t dim, const int32_t *list, ptrdiff_t n,
                            double *out) {
	const uint8_t *query = own, *rows = others;
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

// ADD_SQUARES adds one square of a candidate to each lane of sum (VECTORS
// vectors), in the order and with the rounding of the canonical distance.
#define ADD_SQUARES(element, column)                                         \
	do {                                                                     \
		VD own = SET_D(element);                                             \
		UNROLL for (int v = 0; v < VECTORS; v++) {                           \
			VD difference = SUB_D(own, LOAD_F_AS_D((column) + v * WIDE_D));  \
			VD square = MUL_D(difference, difference);                       \
			APART(square);                                                   \
			sum[v] = ADD_D(sum[v], square);                                  \
		}                                                                    \
	} while (0)

FN static void LEVEL(row_float)(const float *query, const float *candidates, ptrdiff_t words, ptrdiff_t first,
                            ptrdiff_t n, double *out) {
	enum { VECTORS = PANEL / WIDE_D };
	ptrdiff_t skip = first % PANEL;
	const float *c = candidates + (first - skip) * words;
	while (n > 0) {
		VD sum[VECTORS];
		UNROLL for (int v = 0; v < VECTORS; v++) sum[v] = SET_D(0);
		for (ptrdiff_t w = 0; w < words; w++, c += PANEL) ADD_SQUARES(query[w], c);
		double distances[PANEL];
		UNROLL for (int v = 0; v < VECTORS; v++) STORE_D(distances + v * WIDE_D, SQRT_D(sum[v]));
		ptrdiff_t live = n < PANEL - skip ? n : PANEL - skip;
		for (ptrdiff_t j = 0; j < live; j++) out[j] = distances[skip + j];
		out += live, n -= live, skip = 0;
	}
}

// columns_of transposes elements i to i+3 of eight rows into columns.
FN static inline void LEVEL(columns_of)(const float *const rows[8], ptrdiff_t i, float columns[4][8]) {
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
FN static void LEVEL(list_float)(const void *own, const void *others, ptrdiff_t dim, const int32_t *list, ptrdiff_t n,
                             double *out) {
	const float *query = own, *rows = others;
	enum { VECTORS = 8 / WIDE_D };
	for (ptrdiff_t k = 0; k < n; k += 8) {
		const float *row[8];
		for (ptrdiff_t l = 0; l < 8; l++) row[l] = rows + list[k + l < n ? k + l : n - 1] * dim;
		VD sum[VECTORS];
		UNROLL for (int v = 0; v < VECTORS; v++) sum[v] = SET_D(0);
		for (ptrdiff_t i = 0; i < dim; i += 4) {
			float columns[4][8];
			ptrdiff_t live = dim - i < 4 ? dim - i : 4;
			if (live == 4) {
				LEVEL(columns_of)(row, i, columns);
				UNROLL for (int e = 0; e < 4; e++) ADD_SQUARES(query[i + e], columns[e]);
			} else {
				for (ptrdiff_t e = 0; e < live; e++) {
					for (int l = 0; l < 8; l++) columns[e][l] = row[l][i + e];
					ADD_SQUARES(query[i + e], columns[e]);
				}
			}
		}
		double squares[8];
		UNROLL for (int v = 0; v < VECTORS; v++) STORE_D(squares + v * WIDE_D, sum[v]);
		for (ptrdiff_t l = 0; l < 8 && k + l < n; l++) out[k + l] = squares[l];
	}
}

const struct nn_kernels LEVEL(nn_kernels) = {
	LEVEL(dots_uint8), LEVEL(dots_bits), LEVEL(dots_float),
	LEVEL(reduce), LEVEL(reduce_bounded),
	LEVEL(within_int), LEVEL(within_float),
	LEVEL(row_float),
	LEVEL(list_uint8), LEVEL(list_bits), LEVEL(list_float),
};
