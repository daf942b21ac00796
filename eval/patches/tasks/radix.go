package tasks

import (
	"math"
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
	const digit = 11
	const passes = (64 + digit - 1) / digit
	// The bits of positive numbers are in the order of the numbers; those of
	// negative ones, which do not occur as distances, would come last.
	var counts [passes][1 << digit]int32
	for _, x := range v {
		bits := math.Float64bits(x)
		for p := range passes {
			counts[p][bits>>(p*digit)&(1<<digit-1)]++
		}
	}
	from, to := v, scratch[:len(v)]
	for p := range passes {
		count := &counts[p]
		if int(count[math.Float64bits(v[0])>>(p*digit)&(1<<digit-1)]) == len(v) {
			continue // all have the same digit
		}
		sum := int32(0)
		for d, n := range count {
			count[d] = sum
			sum += n
		}
		for _, x := range from {
			d := math.Float64bits(x) >> (p * digit) & (1<<digit - 1)
			to[count[d]] = x
			count[d]++
		}
		from, to = to, from
	}
	if &from[0] != &v[0] {
		copy(v, from)
	}
}
