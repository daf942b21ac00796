// The C side of count_cgo.go, which explains the functions.

#ifndef DESCBENCH_TASKS_COUNT_H
#define DESCBENCH_TASKS_COUNT_H

#include <stddef.h>
#include <stdint.h>

enum { BINS_PER_START = 64, PLACES_BEYOND = 8 }; // binsPerStart and placesBeyond on the Go side

void count_places(const double *samples, ptrdiff_t n, double least, double largest, double scale, int32_t beyond,
                  const int32_t *starts, const uint16_t *offsets, const double *positives, int64_t *counts,
                  const int32_t *limits, ptrdiff_t n_limits, int64_t *within);

#endif
