//go:build cgo

#include "count.h"

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

enum { AT_ONCE = 256 };

// Where a sample lands is unpredictable, and whether it is beyond all positives, and
// whether the first positive of its bin is nearer. So no branch depends on any of these
// before all of AT_ONCE samples are loaded.
VECTORISED
void count_places(const double *samples, ptrdiff_t n, double least, double largest, double scale, int32_t beyond,
                  const int32_t *starts, const uint16_t *offsets, const double *positives, int64_t *counts,
                  const int32_t *limits, ptrdiff_t n_limits, int64_t *within) {
	int32_t place[AT_ONCE];
	for (; n > 0; samples += AT_ONCE, n -= AT_ONCE) {
		int live = n < AT_ONCE ? (int)n : AT_ONCE;
		for (int i = 0; i < live; i++) {
			double inside = samples[i] > least ? samples[i] : least;
			inside = inside < largest ? inside : largest;
			int32_t bin = (int32_t)((inside - least) * scale);
			place[i] = samples[i] <= largest ? bin : beyond + i % PLACES_BEYOND; // also for NaN
		}
#pragma GCC unroll 8
		for (int i = 0; i < live; i++)
			place[i] = starts[(uint32_t)place[i] / BINS_PER_START] + offsets[place[i]];
		for (int i = 0; i < live; i++)
			place[i] += positives[place[i]] < samples[i];
#pragma GCC unroll 4
		for (int i = 0; i < live; i++) {
			int32_t at = place[i];
			if (__builtin_expect(positives[at] < samples[i], 0)) // for fewer instructions in the common case
				do
					at++;
				while (positives[at] < samples[i]);
			counts[at]++;
			place[i] = at;
		}
		for (ptrdiff_t k = 0; k < n_limits; k++) {
			int32_t inside = 0;
			for (int i = 0; i < live; i++)
				inside += place[i] <= limits[k];
			within[k] += inside;
			__asm__ volatile("" ::: "memory"); // keeps GCC from vectorising over the few limits instead
		}
	}
}
