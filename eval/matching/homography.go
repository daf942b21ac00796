package matching

import (
	"math"
	"slices"
)

// HomographyAccuracy returns the share of the corner errors, in pixels, that are
// no greater than the limit (DeTone et al. 2018). An estimation that failed has
// an infinite error. It is NaN if there are no errors.
func HomographyAccuracy(cornerErrorsPx []float64, limitPx float64) float64 {
	correct := 0
	for _, e := range cornerErrorsPx {
		if e <= limitPx {
			correct++
		}
	}
	return mean(float64(correct), len(cornerErrorsPx))
}

// HomographyAUC returns the area under the curve of recall over the corner error
// from 0 to the limit, both in pixels, divided by the limit, as papers print it
// since SuperGlue (Sarlin et al. 2020): with the n errors in ascending order the
// curve joins (0, 0) and the points (i-th error, i/n) by straight lines as far
// as errors are below the limit, and is level from the last of them to the
// limit. An estimation that failed has an infinite error. It is NaN if there are
// no errors.
func HomographyAUC(cornerErrorsPx []float64, limitPx float64) float64 {
	if len(cornerErrorsPx) == 0 {
		return math.NaN()
	}
	n := float64(len(cornerErrorsPx))
	area, reached, recall := 0.0, 0.0, 0.0
	for i, e := range slices.Sorted(slices.Values(cornerErrorsPx)) {
		if !(e < limitPx) {
			break
		}
		next := float64(i+1) / n
		area += float64((e - reached) * (recall + next) / 2)
		reached, recall = e, next
	}
	area += float64((limitPx - reached) * recall)
	return area / limitPx
}
