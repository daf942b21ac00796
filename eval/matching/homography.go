package matching

import (
	"cmp"
	"math"
	"slices"
)

// sceneErrors holds the corner errors of several scenes in ascending order. A failed
// estimation has an infinite error.
type sceneErrors []sceneError

type sceneError struct {
	scene int
	px    float64
}

// cornerErrors returns the corner errors of an estimator in all pairs.
func cornerErrors(scenes []sceneTally, estimator int) sceneErrors {
	var out sceneErrors
	for i, s := range scenes {
		for _, p := range s.Parts {
			out = append(out, sceneError{i, p.Tally.facts.Corners[estimator].Px})
		}
	}
	slices.SortStableFunc(out, func(a, b sceneError) int { return cmp.Compare(a.px, b.px) })
	return out
}

// auc returns the area under the curve of recall by corner error from 0 to
// limitPx, divided by limitPx, as papers since SuperGlue report it (Sarlin et al.
// 2020). The curve joins (0, 0) and the points (i-th error, i/n) of the n ascending
// errors by straight lines. It includes the errors below limitPx and is constant
// from the last of them to limitPx. The errors of scene i occur times[i] times, or
// once if times is nil. The result is NaN without errors.
func (e sceneErrors) auc(times []uint8, limitPx float64) float64 {
	occurs := func(x sceneError) float64 {
		if times == nil {
			return 1
		}
		return float64(times[x.scene])
	}
	n := 0.0
	for _, x := range e {
		n += occurs(x)
	}
	if n == 0 {
		return math.NaN()
	}
	area, reached, seen := 0.0, 0.0, 0.0
	for _, x := range e {
		if !(x.px < limitPx) {
			break
		}
		if occurs(x) == 0 {
			continue
		}
		// Only the first of equal errors contributes a slope.
		area += float64((x.px - reached) * (seen/n + (seen+1)/n) / 2)
		reached, seen = x.px, seen+occurs(x)
	}
	area += float64((limitPx - reached) * (seen / n))
	return area / limitPx
}
