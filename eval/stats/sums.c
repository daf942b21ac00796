//go:build cgo

#include "sums.h"

#include <string.h>

// With GCC and glibc on amd64, the program chooses the version for its processor when
// it starts. Other compilers and systems have only the default version. Each package with
// such C has these lines, because go build does not see changes of headers elsewhere.
#ifndef VECTORISED
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define VECTORISED __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define VECTORISED
#endif
#endif

// Products are rounded before they are added, whatever the processor and CGO_CFLAGS:
// the first line tells Clang, the second GCC.
#pragma STDC FP_CONTRACT OFF
#pragma GCC optimize("fp-contract=off")

VECTORISED
void weighted_sums(const uint8_t *times, const double *values, ptrdiff_t scenes, double *out, ptrdiff_t blocks) {
	for (; blocks > 0; blocks--, out += BLOCK) {
		double sums[BLOCK] = {0}; // side by side, because an addition waits for the previous one of its sum
		for (ptrdiff_t i = 0; i < scenes; i++, times += BLOCK)
			for (int l = 0; l < BLOCK; l++)
				sums[l] += times[l] * values[i];
		memcpy(out, sums, sizeof sums);
	}
}
