// The C side of sums_cgo.go, which explains the function.

#ifndef DESCBENCH_STATS_SUMS_H
#define DESCBENCH_STATS_SUMS_H

#include <stddef.h>
#include <stdint.h>

enum { BLOCK = 32 }; // block on the Go side

void weighted_sums(const uint8_t *times, const double *values, ptrdiff_t scenes, double *out, ptrdiff_t blocks);

#endif
