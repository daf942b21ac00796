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

// merge returns the numbers of sorted lists, n in all, in one sorted list, which may
// be one of the lists itself.
func merge(lists [][]float64, n int) []float64 {
	if len(lists) == 1 {
		return lists[0]
	}
	out := make([]float64, n)
	mergeInto(out, make([]float64, n), lists)
	return out
}

// mergeInto fills out, which is as long as all lists together, and overwrites
// scratch, which is as long.
func mergeInto(out, scratch []float64, lists [][]float64) {
	switch len(lists) {
	case 0:
		return
	case 1:
		copy(out, lists[0])
		return
	case 2:
		mergeTwo(out, lists[0], lists[1])
		return
	}
	half, n := len(lists)/2, 0
	for _, v := range lists[:half] {
		n += len(v)
	}
	mergeInto(scratch[:n], out[:n], lists[:half])
	mergeInto(scratch[n:], out[n:], lists[half:])
	mergeTwo(out, scratch[:n], scratch[n:])
}

func mergeTwo(out, a, b []float64) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		step := 0 // a conditional move: which is smaller cannot be predicted
		if x <= y {
			step = 1
		}
		out[i+j] = min(x, y)
		i += step
		j += 1 - step
	}
	copy(out[i+j:], a[i:])
	copy(out[i+j:], b[j:]) // one of the two is empty
}
