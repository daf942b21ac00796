package matching

import (
	"cmp"
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
	var all sceneErrors
	for _, e := range cornerErrorsPx {
		all = append(all, sceneError{px: e})
	}
	return all.sorted().auc(nil, limitPx)
}

// sceneErrors are the corner errors of several scenes, ascending.
type sceneErrors []sceneError

type sceneError struct {
	scene int
	px    float64
}

// cornerErrors returns one corner error of each pair of the scope.
func (s scope) cornerErrors(of func(*pairTally) float64) sceneErrors {
	var out sceneErrors
	for i, scene := range s.scenes {
		for _, p := range scene.pairs {
			out = append(out, sceneError{i, of(p)})
		}
	}
	return out.sorted()
}

func (e sceneErrors) sorted() sceneErrors {
	slices.SortStableFunc(e, func(a, b sceneError) int { return cmp.Compare(a.px, b.px) })
	return e
}

// auc is HomographyAUC of the errors if those of scene i occur times[i] times;
// once if times is nil.
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
