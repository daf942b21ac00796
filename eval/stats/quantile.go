package stats

import (
	"math"

	"descbench/eval/internal/radix"
)

// percentiles returns the interval between the tails of values, of which value i
// counts times[i] times, at least once. It leaves out NaN.
func percentiles(values []float64, times []uint16) Interval {
	keys, order := make([]radix.Key, 0, len(values)), make([]uint32, 0, len(values))
	n := 0
	for i, v := range values {
		if !math.IsNaN(v) {
			keys, order, n = append(keys, radix.KeyOf(v)), append(order, uint32(i)), n+int(times[i])
		}
	}
	if n == 0 {
		return NoInterval()
	}
	radix.SortTagged(keys, make([]radix.Key, len(keys)), order, make([]uint32, len(order)))
	quantile := func(q float64) float64 { // interpolated between neighbours
		at := q * float64(n-1)
		k, end := 0, int(times[order[0]])
		for end <= int(at) {
			k++
			end += int(times[order[k]])
		}
		low := values[order[k]]
		if end == n || int(at)+1 < end {
			return low
		}
		return low + float64((at-math.Floor(at))*(values[order[k+1]]-low)) // never fused
	}
	return Interval{quantile(tail), quantile(1 - tail)}
}
