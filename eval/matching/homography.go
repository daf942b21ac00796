package matching

import (
	"cmp"
	"math"
	"slices"
)

// PairValues holds the errors of estimates, or another value, of the pairs of several
// scenes in ascending order. A failed estimation has an infinite error.
type PairValues []pairValue

type pairValue struct {
	scene int
	value float64
}

// NewPairValues returns the values of all pairs, given those of each scene.
func NewPairValues(scenes [][]float64) PairValues {
	var all PairValues
	for i, values := range scenes {
		for _, v := range values {
			all = append(all, pairValue{i, v})
		}
	}
	slices.SortStableFunc(all, func(a, b pairValue) int { return cmp.Compare(a.value, b.value) })
	return all
}

// AUC returns the area under the curve of recall by error from 0 to
// limit, divided by limit, as papers since SuperGlue report it (Sarlin et al.
// 2020). The curve joins (0, 0) and the points (i-th error, i/n) of the n ascending
// errors by straight lines. It includes the errors below limit and is constant
// from the last of them to limit. The errors of scene i occur times[i] times, or
// once if times is nil. The result is NaN without errors.
func (e PairValues) AUC(times []uint8, limit float64) float64 {
	occurs := func(x pairValue) float64 { return float64(x.occurs(times)) }
	n := float64(e.count(times))
	if n == 0 {
		return math.NaN()
	}
	area, reached, seen := 0.0, 0.0, 0.0
	for _, x := range e {
		if !(x.value < limit) {
			break
		}
		if occurs(x) == 0 {
			continue
		}
		// Only the first of equal errors contributes a slope.
		area += float64((x.value - reached) * (seen/n + (seen+1)/n) / 2)
		reached, seen = x.value, seen+occurs(x)
	}
	area += float64((limit - reached) * (seen / n))
	return area / limit
}

// Median returns the value in the middle, or the mean of the two in the middle of an
// even number; NaN without values. The values of scene i occur times[i] times, or
// once if times is nil.
func (e PairValues) Median(times []uint8) float64 {
	n := e.count(times)
	lower, upper, seen := math.NaN(), math.NaN(), 0
	for _, x := range e {
		seen += x.occurs(times)
		if math.IsNaN(lower) && seen > (n-1)/2 {
			lower = x.value
		}
		if seen > n/2 {
			upper = x.value
			break
		}
	}
	return (lower + upper) / 2
}

// count returns the number of values, given how often each scene occurs.
func (e PairValues) count(times []uint8) int {
	n := 0
	for _, x := range e {
		n += x.occurs(times)
	}
	return n
}

func (x pairValue) occurs(times []uint8) int {
	if times == nil {
		return 1
	}
	return int(times[x.scene])
}
