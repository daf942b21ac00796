//go:build cgo

// AVX-512: 16 lanes, panels of 64 candidates. Dot products of bytes use VNNI,
// which multiplies unsigned by signed bytes: candidates are stored minus 128,
// and start compensates. Dot products of bits need VPOPCNTDQ.

#include "kernels.h"
#include <immintrin.h>

#define FN __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,popcnt")))
#define FN_BITS __attribute__((target("avx512f,avx512vpopcntdq")))
#define LEVEL(name) name##_avx512
#define LANES 16
#define NV 4

typedef __m512i VI;
typedef __m512 VF;
typedef __m512d VD;

#define LOAD_I(p) _mm512_loadu_si512(p)
#define STORE_I(p, v) _mm512_storeu_si512(p, v)
#define SET_I(x) _mm512_set1_epi32((int32_t)(x))
#define ADD_I _mm512_add_epi32

#define LOAD_F(p) _mm512_loadu_ps(p)
#define STORE_F(p, v) _mm512_storeu_ps(p, v)
#define SET_F(x) _mm512_set1_ps(x)
#define ADD_F _mm512_add_ps
#define MIN_F _mm512_min_ps
#define FNMADD_F _mm512_fnmadd_ps
#define LT_F(a, b) ((unsigned)_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ))
#define NGT_F(a, b) ((unsigned)_mm512_cmp_ps_mask(a, b, _CMP_NGT_UQ))

#define LOAD_D(p) _mm512_loadu_pd(p)
#define STORE_D(p, v) _mm512_storeu_pd(p, v)
#define SET_D(x) _mm512_set1_pd(x)
#define MUL_D _mm512_mul_pd
#define LOAD_I_AS_D(p) _mm512_cvtepi32_pd(_mm256_loadu_si256((const __m256i *)(p)))
#define LT_D(a, b) ((unsigned)_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ))
#define COUNT_D(counts, a, b, compare) \
	_mm512_mask_add_epi64(counts, _mm512_cmp_pd_mask(a, b, compare), counts, _mm512_set1_epi64(1))
#define COUNT_LT(counts, a, b) COUNT_D(counts, a, b, _CMP_LT_OQ)
#define COUNT_EQ(counts, a, b) COUNT_D(counts, a, b, _CMP_EQ_OQ)
#define ADD_D _mm512_add_pd
#define FMADD_D _mm512_fmadd_pd
#define SUB_D _mm512_sub_pd
#define SQRT_D _mm512_sqrt_pd
#define LOAD_F_AS_D(p) _mm512_cvtps_pd(_mm256_loadu_ps(p))
#define APART(v) __asm__("" : "+v"(v))

#define LOAD_B(p) _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(p)))
#define MADD_I _mm512_madd_epi16
#define SUM_I _mm512_reduce_add_epi32

#define STEP_UINT8 _mm512_dpbusd_epi32
#define STEP_BITS(sum, a, b) ADD_I(sum, _mm512_popcnt_epi32(_mm512_and_si512(a, b)))
#define STEP_FLOAT(sum, a, b) _mm512_fmadd_ps(a, b, sum)

#include "kernel_body.h"

#include "measure_body.h"
