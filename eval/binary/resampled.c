//go:build cgo

#include "resampled.h"

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

// The compiler splits vectors that are wider than those of the processor.
#define WIDTH 8
#define VECTORS (LANES / WIDTH)
typedef double lanes __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));
typedef int64_t bits __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

// The counts are integers, exact in double, so that sums of their products have the
// same bits whether or not the compiler contracts them. Quotients are rounded before
// they are added.
VECTORISED
void area_sums(const uint32_t *samples, ptrdiff_t n, const double *times, const double *negatives,
               double *precision, double *twice) {
	const lanes one = {1, 1, 1, 1, 1, 1, 1, 1};
	lanes tp[VECTORS] = {{0}}, fp[VECTORS] = {{0}}, tp_before[VECTORS] = {{0}}, fp_before[VECTORS] = {{0}};
	lanes sum[VECTORS] = {{0}}, area[VECTORS] = {{0}}, all[VECTORS];
	for (int v = 0; v < VECTORS; v++)
		all[v] = 2 * ((const lanes *)negatives)[v];
	for (ptrdiff_t i = 0; i < n; i++) {
		const uint32_t s = samples[i];
		const lanes *t = (const lanes *)(times + (size_t)(s >> SCENE_SHIFT) * LANES);
		if (s & IS_POSITIVE)
			for (int v = 0; v < VECTORS; v++)
				tp[v] += t[v];
		else
			for (int v = 0; v < VECTORS; v++)
				fp[v] += t[v];
		if (!(s & IS_LAST_OF_TIES))
			continue;
		if (s & IS_SCORED)
			for (int v = 0; v < VECTORS; v++) {
				lanes rise = tp[v] - tp_before[v], yes = tp[v] + fp[v];
				yes += (lanes)((bits)(yes == 0) & (bits)one); // without any, 0 of 1
				sum[v] += rise * tp[v] / yes;
				area[v] += rise * (all[v] - fp[v] - fp_before[v]);
				tp_before[v] = tp[v];
			}
		for (int v = 0; v < VECTORS; v++)
			fp_before[v] = fp[v];
	}
	for (int v = 0; v < VECTORS; v++) {
		((lanes *)precision)[v] = sum[v];
		((lanes *)twice)[v] = area[v];
	}
}
