package matching

import (
	"cmp"
	"math"
	"slices"
)

// sceneErrors are the corner errors of several scenes, ascending. An estimation
// that failed has an infinite error.
type sceneErrors []sceneError

type sceneError struct {
	scene int
	px    float64
}

// cornerErrors returns those of an estimator in each pair.
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

// auc returns the area under the curve of recall over the corner error from 0
// to the limit, both in pixels, divided by the limit, as papers print it since
// SuperGlue (Sarlin et al. 2020): with the n errors in ascending order the curve
// joins (0, 0) and the points (i-th error, i/n) by straight lines as far as
// errors are below the limit, and is level from the last of them to the limit.
// The errors of scene i occur times[i] times; once if times is nil. It is NaN if
// there are no errors.
func (e sceneErrors) auc(times []int32, limitPx float64) float64 {
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
		// Of equal errors only the first makes a slope.
		area += float64((x.px - reached) * (seen/n + (seen+1)/n) / 2)
		reached, seen = x.px, seen+occurs(x)
	}
	area += float64((limitPx - reached) * (seen / n))
	return area / limitPx
}
