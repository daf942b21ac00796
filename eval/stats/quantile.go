package stats

import (
	"math"
	"slices"
)

// percentiles returns the interval between the tails of values. It leaves out NaN
// and reorders values.
func percentiles(values []float64) Interval {
	values = slices.DeleteFunc(values, math.IsNaN)
	if len(values) == 0 {
		return NoInterval()
	}
	s := newSpread(values)
	return Interval{s.quantile(tail), s.quantile(1 - tail)}
}

// A spread counts values in bins of equal width, so that a quantile is found by
// sorting one bin.
type spread struct {
	values []float64
	low    float64
	scale  float64             // bins per unit; 0: all values are in the first bin
	before [spreadBins + 2]int // values in lower bins; the highest value has a bin of its own
}

const spreadBins = 512

func newSpread(values []float64) *spread {
	s := &spread{values: values, low: slices.Min(values)}
	if width := slices.Max(values) - s.low; width > 0 && !math.IsInf(spreadBins/width, 0) {
		s.scale = spreadBins / width // 0 for an infinite width
	}
	for _, v := range values {
		s.before[s.bin(v)+1]++
	}
	for i := range len(s.before) - 1 {
		s.before[i+1] += s.before[i]
	}
	return s
}

// bin returns the bin of a value, which grows with the value.
func (s *spread) bin(v float64) int {
	if s.scale == 0 {
		return 0
	}
	return int((v - s.low) * s.scale)
}

// quantile returns a quantile, interpolated between neighbours.
func (s *spread) quantile(q float64) float64 {
	n := len(s.values)
	at := q * float64(n-1)
	i := min(int(at), n-1)
	next := min(i+1, n-1)
	binOf := func(rank int) int { // the bin that holds the value of a rank
		above, _ := slices.BinarySearch(s.before[:], rank+1)
		return above - 1
	}
	first, last := binOf(i), binOf(next)
	var sorted []float64
	for _, v := range s.values {
		if bin := s.bin(v); bin >= first && bin <= last {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	low, high := sorted[i-s.before[first]], sorted[next-s.before[first]]
	if next == i {
		return low
	}
	return low + float64((at-float64(i))*(high-low))
}
