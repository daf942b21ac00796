// The C side of Pool.Areas, which names the sums.

#ifndef DESCBENCH_BINARY_AREAS_H
#define DESCBENCH_BINARY_AREAS_H

#include <stddef.h>
#include <stdint.h>

enum {
	LANES = 32, // resamples at a time; lanes on the Go side
	IS_POSITIVE = 1,
	IS_LAST_OF_TIES = 2,
	IS_SCORED = 4, // the last of a tie that has positives
	SCENE_SHIFT = 3,
};

// area_sums computes the sums of Pool.Areas for LANES resamples. samples are those
// of a Pool. times[scene * LANES + l] is how often resample l includes a scene,
// negatives[l] the number of its negatives. It sets precision[l] and twice[l].
typedef void (*area_sums)(const uint32_t *samples, ptrdiff_t n, const double *times,
                          const double *negatives, double *precision, double *twice);

void area_sums_avx2(const uint32_t *, ptrdiff_t, const double *, const double *, double *, double *);
void area_sums_avx512(const uint32_t *, ptrdiff_t, const double *, const double *, double *, double *);

static inline void call_area_sums(area_sums f, const uint32_t *samples, ptrdiff_t n, const double *times,
                                  const double *negatives, double *precision, double *twice) {
	f(samples, n, times, negatives, precision, twice);
}

#endif
