//go:build cgo

#include "sums.h"

#include <immintrin.h>
#include <string.h>

// WIDTH sums are a vector. UNROLL vectors at once keep the processor busy, because an
// addition waits for the previous one of its sum.
enum { WIDTH = 4, UNROLL = BLOCK / WIDTH };

// APART keeps the compiler from fusing the operation that computes v with the one that
// uses it. AVX2 has no instruction for both, but CGO_CFLAGS may allow FMA.
#define APART(v) __asm__("" : "+x"(v))

__attribute__((target("avx2"))) void weighted_sums(const uint8_t *times, const double *values, ptrdiff_t scenes,
                                                   double *out, ptrdiff_t blocks) {
	for (; blocks > 0; blocks--, out += BLOCK) {
		__m256d sums[UNROLL] = {{0}};
		for (ptrdiff_t i = 0; i < scenes; i++, times += BLOCK) {
			const __m256d value = _mm256_set1_pd(values[i]);
			for (int v = 0; v < UNROLL; v++) {
				int32_t bytes;
				memcpy(&bytes, times + v * WIDTH, WIDTH);
				const __m256d n = _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(bytes)));
				__m256d product = _mm256_mul_pd(n, value);
				APART(product);
				sums[v] = _mm256_add_pd(sums[v], product);
			}
		}
		for (int v = 0; v < UNROLL; v++)
			_mm256_storeu_pd(out + v * WIDTH, sums[v]);
	}
}
