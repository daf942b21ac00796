// The C side of Bootstrap.sums.

#ifndef DESCBENCH_STATS_SUMS_H
#define DESCBENCH_STATS_SUMS_H

#include <stddef.h>
#include <stdint.h>

enum { BLOCK = 32 }; // patterns side by side; block on the Go side

// weighted_sums sets out[b * BLOCK + l] to the sum of times[(b * scenes + i) * BLOCK + l] *
// values[i], added in the order of the scenes i. It needs AVX2.
void weighted_sums(const uint8_t *times, const double *values, ptrdiff_t scenes, double *out, ptrdiff_t blocks);

#endif
