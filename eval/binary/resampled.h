// The C side of resampled_cgo.go.

#ifndef DESCBENCH_BINARY_RESAMPLED_H
#define DESCBENCH_BINARY_RESAMPLED_H

#include <stddef.h>
#include <stdint.h>

enum {
	LANES = 32, // lanes on the Go side
	IS_POSITIVE = 1,
	IS_LAST_OF_TIES = 2,
	IS_SCORED = 4, // the last of a tie that has positives
	SCENE_SHIFT = 3,
};

// area_sums computes two sums over the sorted samples of a Resampler for LANES resamples: that
// of precision × positives, and twice the number of pairs in which the positive is
// nearer. times[scene * LANES + l] is how often resample l includes a scene, negatives[l]
// the number of its negatives.
void area_sums(const uint32_t *samples, ptrdiff_t n, const double *times, const double *negatives,
               double *precision, double *twice);

#endif
