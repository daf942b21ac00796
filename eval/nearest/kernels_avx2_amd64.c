//go:build cgo

// AVX2 and FMA: 8 lanes, panels of 16 candidates. Bytes are widened to 16
// bits, two to a word.

#include "kernels.h"
#include <immintrin.h>

#define FN __attribute__((target("avx2,fma,popcnt")))
#define FN_BITS FN
#define LEVEL(name) name##_avx2
#define LANES 8
#define NV 2

typedef __m256i VI;
typedef __m256 VF;
typedef __m256d VD;

#define LOAD_I(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE_I(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define SET_I(x) _mm256_set1_epi32((int32_t)(x))
#define ADD_I _mm256_add_epi32

#define LOAD_F(p) _mm256_loadu_ps(p)
#define STORE_F(p, v) _mm256_storeu_ps(p, v)
#define SET_F(x) _mm256_set1_ps(x)
#define ADD_F _mm256_add_ps
#define MIN_F _mm256_min_ps
#define FNMADD_F _mm256_fnmadd_ps
#define LT_F(a, b) ((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ)))
#define NGT_F(a, b) ((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_NGT_UQ)))

#define LOAD_D(p) _mm256_loadu_pd(p)
#define STORE_D(p, v) _mm256_storeu_pd(p, v)
#define SET_D(x) _mm256_set1_pd(x)
#define MUL_D _mm256_mul_pd
#define LOAD_I_AS_D(p) _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)(p)))
#define LT_D(a, b) ((unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ)))
#define COUNT_D(counts, a, b, compare) _mm256_sub_epi64(counts, _mm256_castpd_si256(_mm256_cmp_pd(a, b, compare)))
#define COUNT_LT(counts, a, b) COUNT_D(counts, a, b, _CMP_LT_OQ)
#define COUNT_EQ(counts, a, b) COUNT_D(counts, a, b, _CMP_EQ_OQ)
#define ADD_D _mm256_add_pd
#define FMADD_D _mm256_fmadd_pd
#define SUB_D _mm256_sub_pd
#define SQRT_D _mm256_sqrt_pd
#define LOAD_F_AS_D(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
#define APART(v) __asm__("" : "+x"(v))

#define LOAD_B(p) _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(p)))
#define MADD_I _mm256_madd_epi16
#define SUM_I sum_lanes

// popcount returns the number of set bits in each 32-bit lane: nibble counts
// from a table, summed over the lane.
FN static inline VI popcount(VI v) {
	const VI table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
	                                  0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
	const VI nibble = _mm256_set1_epi8(15);
	VI low = _mm256_shuffle_epi8(table, _mm256_and_si256(v, nibble));
	VI high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
	VI pairs = _mm256_maddubs_epi16(_mm256_add_epi8(low, high), _mm256_set1_epi8(1));
	return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

FN static inline int32_t sum_lanes(VI v) {
	__m128i x = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
	x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0x4e));
	return _mm_cvtsi128_si32(_mm_add_epi32(x, _mm_shuffle_epi32(x, 0xb1)));
}

#define STEP_UINT8(sum, a, b) ADD_I(sum, _mm256_madd_epi16(a, b))
#define STEP_BITS(sum, a, b) ADD_I(sum, popcount(_mm256_and_si256(a, b)))
#define STEP_FLOAT(sum, a, b) _mm256_fmadd_ps(a, b, sum)

#include "kernel_body.h"

#include "measure_body.h"
