//go:build cgo

#include "count.h"

// GCC compiles versions for several processors; the program chooses when it starts.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define VECTORISED __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define VECTORISED
#endif

enum { AT_ONCE = 256 };

// Where a sample lands is unpredictable, and whether the first positive of its bin is
// nearer. So no branch depends on either before all of AT_ONCE samples are loaded.
VECTORISED
void count_places(const double *samples, ptrdiff_t n, double least, double largest, double scale,
                  const int32_t *lookup, const double *positives, int64_t *counts) {
	double in[AT_ONCE];
	int32_t place[AT_ONCE];
	for (; n > 0; samples += AT_ONCE, n -= AT_ONCE) {
		int inside = 0;
		for (int i = 0; i < AT_ONCE && i < n; i++) {
			in[inside] = samples[i] > least ? samples[i] : least;
			inside += samples[i] <= largest;
		}
		for (int i = 0; i < inside; i++)
			place[i] = (int32_t)((in[i] - least) * scale);
		for (int i = 0; i < inside; i++)
			place[i] = lookup[place[i]];
		for (int i = 0; i < inside; i++)
			place[i] += positives[place[i]] < in[i];
		for (int i = 0; i < inside; i++) {
			int32_t at = place[i];
			while (positives[at] < in[i])
				at++;
			counts[at]++;
		}
	}
}

VECTORISED
void count_at_most(const double *samples, ptrdiff_t n, const double *limits, ptrdiff_t n_limits, int64_t *counts) {
	for (ptrdiff_t k = 0; k < n_limits; k++) {
		int64_t at_most = 0;
		for (ptrdiff_t i = 0; i < n; i++)
			at_most += samples[i] <= limits[k];
		counts[k] += at_most;
	}
}
