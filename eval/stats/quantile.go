package stats

import (
	"math"

	"descbench/eval/internal/radix"
)

// percentiles returns the interval between the tails of values. It leaves out NaN.
func percentiles(values []float64) Interval {
	keys := make([]radix.Key, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) {
			keys = append(keys, radix.KeyOf(v))
		}
	}
	n := len(keys)
	if n == 0 {
		return NoInterval()
	}
	radix.Sort(keys, make([]radix.Key, n))
	quantile := func(q float64) float64 { // interpolated between neighbours
		at := q * float64(n-1)
		k := int(at)
		low := keys[k].Value()
		if k+1 == n {
			return low
		}
		return low + float64((at-math.Floor(at))*(keys[k+1].Value()-low)) // never fused
	}
	return Interval{quantile(tail), quantile(1 - tail)}
}
