package stats

import (
	"cmp"
	"math"
	"slices"
)

// percentiles returns the interval between the tails of values, of which value i
// counts times[i] times. It leaves out NaN.
func percentiles(values []float64, times []uint16) Interval {
	s := newSpread(values, times)
	if s.size() == 0 {
		return NoInterval()
	}
	return Interval{s.quantile(tail), s.quantile(1 - tail)}
}

// A spread counts values in bins of equal width, so that a quantile is found by
// sorting one bin.
type spread struct {
	values []float64
	times  []uint16 // how often each value counts
	bins   []uint16 // of each value
	low    float64
	scale  float64             // bins per unit; 0: all values are in the first bin
	before [spreadBins + 2]int // values in lower bins; the highest value has a bin of its own
}

const (
	spreadBins = 512
	noBin      = math.MaxUint16 // of NaN
)

func newSpread(values []float64, times []uint16) *spread {
	s := &spread{values: values, times: times, bins: make([]uint16, len(values)), low: math.Inf(1)}
	high := math.Inf(-1)
	for _, v := range values {
		if v < s.low {
			s.low = v
		}
		if v > high {
			high = v
		}
	}
	if width := high - s.low; width > 0 && !math.IsInf(spreadBins/width, 0) {
		s.scale = spreadBins / width // 0 for an infinite width
	}
	for i, v := range values {
		if math.IsNaN(v) {
			s.bins[i] = noBin
			continue
		}
		bin := s.bin(v)
		s.bins[i] = uint16(bin)
		s.before[bin+1] += int(times[i])
	}
	for i := range len(s.before) - 1 {
		s.before[i+1] += s.before[i]
	}
	return s
}

// size returns the number of values that are not NaN.
func (s *spread) size() int { return s.before[len(s.before)-1] }

// bin returns the bin of a value, which grows with the value.
func (s *spread) bin(v float64) int {
	if s.scale == 0 {
		return 0
	}
	return int((v - s.low) * s.scale)
}

// quantile returns a quantile, interpolated between neighbours.
func (s *spread) quantile(q float64) float64 {
	n := s.size()
	at := q * float64(n-1)
	i := min(int(at), n-1)
	next := min(i+1, n-1)
	binOf := func(rank int) int { // the bin that holds the value of a rank
		above, _ := slices.BinarySearch(s.before[:], rank+1)
		return above - 1
	}
	first, last := binOf(i), binOf(next)
	var in []int // values in these bins
	for k, bin := range s.bins {
		if int(bin) >= first && int(bin) <= last {
			in = append(in, k)
		}
	}
	slices.SortFunc(in, func(a, b int) int { return cmp.Compare(s.values[a], s.values[b]) })
	var low, high float64
	rank := s.before[first]
	for _, k := range in {
		end := rank + int(s.times[k])
		if rank <= i && i < end {
			low = s.values[k]
		}
		if rank <= next && next < end {
			high = s.values[k]
		}
		rank = end
	}
	if next == i {
		return low
	}
	return low + float64((at-float64(i))*(high-low))
}
