package tasks

import (
	"math"
	"math/bits"
	"slices"
)

// sortAscending sorts distances, which are never NaN. A radix sort is several times
// as fast as a sort by comparison for a million numbers, and the order of equal
// distances cannot be seen. scratch is as long as v and is overwritten.
func sortAscending(v, scratch []float64) {
	if len(v) < 1<<8 {
		slices.Sort(v)
		return
	}
	// The bits of positive numbers are in the order of the numbers; those of
	// negative ones, which do not occur as distances, would come last.
	first, varying := math.Float64bits(v[0]), uint64(0)
	for _, x := range v {
		varying |= math.Float64bits(x) ^ first
	}
	if varying == 0 {
		return
	}
	const maxDigit = 11
	low, high := uint(bits.TrailingZeros64(varying)), uint(bits.Len64(varying))
	passes := (high - low + maxDigit - 1) / maxDigit
	digit := (high - low + passes - 1) / passes
	mask := uint64(1)<<digit - 1
	from, to := v, scratch[:len(v)]
	for shift := low; shift < high; shift += digit {
		var next [1 << maxDigit]int32 // place of the next number with this digit
		for _, x := range from {
			next[math.Float64bits(x)>>(shift%64)&mask%(1<<maxDigit)]++
		}
		sum := int32(0)
		for d, n := range next[:mask+1] {
			next[d] = sum
			sum += n
		}
		for _, x := range from {
			d := math.Float64bits(x) >> (shift % 64) & mask % (1 << maxDigit)
			to[next[d]] = x
			next[d]++
		}
		from, to = to, from
	}
	if &from[0] != &v[0] {
		copy(v, from)
	}
}
