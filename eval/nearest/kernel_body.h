// The kernels, written in terms of vector operations that the including file
// defines for one instruction set:
//
//	FN           attributes of every function except dots_bits, which uses FN_BITS
//	LEVEL(name)  name with the level appended
//	LANES        32-bit lanes per vector; NV vectors make a panel
//	VI, VF, VD   vectors of int32, float (LANES each) and double (LANES/2)
//	LT_*         comparisons, as bits, false for NaN; NGT_F is true for NaN
//	COUNT_LT(counts, a, b)  counts, one higher in each 64-bit lane where a < b; COUNT_EQ for a = b
//	SUM_I        the sum of all lanes
//	MIN_F(a, b)  b if either is NaN
//	FMADD_D, FNMADD_F  a*b + c, c - a*b with one rounding
//
// Products are exact, kept apart by APART, or added by explicit fused operations, so
// that it does not matter whether compilers contract them (cgo refuses
// -ffp-contract=off).

#define PANEL (LANES * NV)

// DOTS defines a function that fills a tile with dot products, four queries
// and one panel at a time: the 4*NV accumulators stay in registers.
#define DOTS(ATTRIBUTES, NAME, WORD, DOT, VEC, START, LOAD, SPREAD, STEP, STORE)                                \
	ATTRIBUTES static void LEVEL(NAME)(const void *own, const int32_t *start, const void *others, ptrdiff_t words, \
	                                   ptrdiff_t rows, ptrdiff_t panels, void *dots, ptrdiff_t stride) {        \
		const WORD *queries = own, *candidates = others;                                                    \
		DOT *out = dots;                                                                                    \
		for (ptrdiff_t p = 0; p < panels; p++, candidates += words * PANEL, out += PANEL) {             \
			for (ptrdiff_t r = 0; r < rows; r += 4) {                                                   \
				const WORD *q = queries + r * words, *c = candidates;                                   \
				VEC sum[4][NV];                                                                         \
				UNROLL for (int i = 0; i < 4; i++)                                                      \
					UNROLL for (int v = 0; v < NV; v++) sum[i][v] = START(r + i);                       \
				for (ptrdiff_t w = 0; w < words; w++, q++, c += PANEL) {                                \
					VEC cand[NV];                                                                       \
					UNROLL for (int v = 0; v < NV; v++) cand[v] = LOAD(c + v * LANES);                  \
					UNROLL for (int i = 0; i < 4; i++) {                                                \
						VEC word = SPREAD(q[i * words]);                                                \
						UNROLL for (int v = 0; v < NV; v++) sum[i][v] = STEP(sum[i][v], word, cand[v]); \
					}                                                                                   \
				}                                                                                       \
				UNROLL for (int i = 0; i < 4; i++)                                                      \
					UNROLL for (int v = 0; v < NV; v++)                                                 \
						STORE(out + (r + i) * stride + v * LANES, sum[i][v]);                           \
			}                                                                                           \
		}                                                                                               \
	}
#define UNROLL _Pragma("GCC unroll 8") // the longest such loop has 2*NV iterations

#define START_I(i) SET_I(start ? start[i] : 0)
#define START_F(i) SET_F(0)

DOTS(FN, dots_uint8, uint32_t, int32_t, VI, START_I, LOAD_I, SET_I, STEP_UINT8, STORE_I)
DOTS(FN_BITS, dots_bits, uint32_t, int32_t, VI, START_I, LOAD_I, SET_I, STEP_BITS, STORE_I)
DOTS(FN, dots_float, float, float, VF, START_F, LOAD_F, SET_F, STEP_FLOAT, STORE_F)

// LIVE has a bit for each of the n lanes that exist, counting n from this
// vector.
#define LIVE(n, lanes) ((n) >= (lanes) ? (1u << (lanes)) - 1 : (1u << (n)) - 1)
#define FOR_BITS(lane, bits) \
	for (unsigned left = (bits), lane; left && (lane = (unsigned)__builtin_ctz(left), 1); left &= left - 1)

// enter keeps the two smallest keys of a row. Columns come in ascending order,
// so strict comparison leaves ties to the lower column.
FN static inline void LEVEL(enter)(struct nn_row *row, double key, int32_t col) {
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

FN static void LEVEL(reduce)(const int32_t *dots, ptrdiff_t stride, struct nn_row *rows, ptrdiff_t nrows,
                         const double *factor, const double *base, double *best, int32_t *best_row,
                         ptrdiff_t ncols, int32_t row0, int32_t col0) {
	enum { WIDE = LANES / 2 };
	for (ptrdiff_t r = 0; r < nrows; r++, dots += stride) {
		struct nn_row *row = rows + r;
		VD own_factor = SET_D(row->factor), own_base = SET_D(row->base);
		VD truth = SET_D(row->truth), second = SET_D(row->second);
		VI less = SET_I(0), equal = SET_I(0); // in lanes of 64 bits
		for (ptrdiff_t j = 0; j < ncols; j += WIDE) { // those beyond are padding
			VD dot = LOAD_I_AS_D(dots + j);
			VD key = FMADD_D(dot, LOAD_D(factor + j), LOAD_D(base + j)), back = FMADD_D(dot, own_factor, own_base);
			less = COUNT_LT(less, key, truth);
			equal = COUNT_EQ(equal, key, truth);
			unsigned nearer = LT_D(key, second), better = LT_D(back, LOAD_D(best + j));
			if (nearer | better) {
				double keys[WIDE], backs[WIDE];
				STORE_D(keys, key);
				STORE_D(backs, back);
				FOR_BITS(l, nearer) LEVEL(enter)(row, keys[l], col0 + (int32_t)(j + l));
				second = SET_D(row->second);
				FOR_BITS(l, better) {
					best[j + l] = backs[l];
					best_row[j + l] = row0 + (int32_t)r;
				}
			}
		}
		row->less += SUM_I(less);
		row->equal += SUM_I(equal);
	}
}

FN static ptrdiff_t LEVEL(reduce_bounded)(const float *dots, ptrdiff_t stride, struct nn_row_bounded *rows,
                                      ptrdiff_t nrows, const float *lo, const float *hi, const float *slack,
                                      float *best, ptrdiff_t ncols, struct nn_event *events) {
	struct nn_event *event = events;
	VF two = SET_F(2);
	for (ptrdiff_t r = 0; r < nrows; r++, dots += stride) {
		struct nn_row_bounded *row = rows + r;
		VF own_lo = SET_F(row->lo), own_hi = SET_F(row->hi);
		VF truth_lo = SET_F(row->truth_lo), truth_hi = SET_F(row->truth_hi);
		VF second = SET_F(row->second + row->slack);
		int less = 0;
		for (ptrdiff_t j = 0; j < ncols; j += LANES) {
			unsigned live = LIVE(ncols - j, LANES);
			VF dot = LOAD_F(dots + j);
			VF key_lo = FNMADD_F(two, dot, LOAD_F(lo + j)), key_hi = FNMADD_F(two, dot, LOAD_F(hi + j));
			unsigned below = LT_F(key_hi, truth_lo) & live;
			less += __builtin_popcount(below);
			unsigned rank = NGT_F(key_lo, truth_hi) & live & ~below;
			unsigned near = NGT_F(key_lo, second) & live;
			VF back_lo = FNMADD_F(two, dot, own_lo), back_hi = FNMADD_F(two, dot, own_hi);
			VF nearest = MIN_F(back_hi, LOAD_F(best + j));
			STORE_F(best + j, nearest);
			unsigned column = NGT_F(back_lo, ADD_F(nearest, LOAD_F(slack + j))) & live;
			if (rank | near | column) {
				float keys[LANES];
				STORE_F(keys, key_hi);
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
				second = SET_F(row->second + row->slack);
			}
		}
		row->less += less;
	}
	return event - events;
}

// WITHIN defines a function that lists the pairs of a tile that are not beyond the
// limits of their queries. Twice a dot product is exact, so fusing would change
// nothing.
#define WITHIN(NAME, DOT, LOAD_AS_D)                                                                          \
	FN static void LEVEL(NAME)(const void *tile, ptrdiff_t stride, struct nn_query *queries, ptrdiff_t nrows, \
	                           const double *norms, ptrdiff_t ncols, ptrdiff_t col0, struct nn_near *near) {  \
		enum { WIDE = LANES / 2 };                                                                            \
		const DOT *dots = tile;                                                                               \
		for (ptrdiff_t r = 0; r < nrows; r++, dots += stride) {                                               \
			VD norm = SET_D(queries[r].norm), limit = SET_D(queries[r].limit);                                \
			struct nn_near *first = near;                                                                     \
			for (ptrdiff_t j = 0; j < ncols; j += WIDE) {                                                     \
				VD dot = LOAD_AS_D(dots + j);                                                                 \
				VD d2 = SUB_D(ADD_D(norm, LOAD_D(norms + j)), ADD_D(dot, dot));                               \
				unsigned found = ~LT_D(limit, d2) & LIVE(ncols - j, WIDE);                                    \
				if (found) {                                                                                  \
					double values[WIDE];                                                                      \
					STORE_D(values, d2);                                                                      \
					FOR_BITS(l, found) *near++ = (struct nn_near){col0 + j + l, values[l]};                   \
				}                                                                                             \
			}                                                                                                 \
			queries[r].near = near - first;                                                                   \
		}                                                                                                     \
	}

WITHIN(within_int, int32_t, LOAD_I_AS_D)
WITHIN(within_float, float, LOAD_F_AS_D)
