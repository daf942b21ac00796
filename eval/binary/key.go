package binary

import (
	"math"
	"slices"
)

// A key is a distance encoded as an integer of the same order: the bits of the
// number with the sign bit inverted, or with all bits inverted if it is
// negative. Both zeros have the same key. Keys of NaN are beyond those of the
// infinities.
type key uint64

const signBit = 1 << 63

func keyOf(distance float64) key {
	bits := math.Float64bits(distance + 0) // -0 + 0 = +0
	if bits&signBit != 0 {
		return key(^bits)
	}
	return key(bits | signBit)
}

func (k key) distance() float64 {
	if k&signBit == 0 {
		return math.Float64frombits(^uint64(k))
	}
	return math.Float64frombits(uint64(k &^ signBit))
}

const (
	digitBits = 11
	keyDigits = (64 + digitBits - 1) / digitBits
	radix     = 1 << digitBits
	// Up to fewKeys keys, comparison sorting is faster.
	fewKeys = 2000
)

// sortKeys sorts keys in ascending order by radix sort, lowest digit first.
// scratch must be at least as long as keys.
func sortKeys(keys, scratch []key) {
	if len(keys) < fewKeys {
		slices.Sort(keys)
		return
	}
	sortTagged(keys, scratch, nil, nil)
}

// sortTagged is like sortKeys and moves tags, if there are any, with their keys.
func sortTagged(keys, scratch []key, tags, scratchTags []uint32) {
	if len(keys) == 0 {
		return
	}
	var counts [keyDigits][radix]int
	for _, k := range keys {
		for d := range counts {
			counts[d][k>>(d*digitBits)%radix]++
		}
	}
	from, to := keys, scratch[:len(keys)]
	tagsFrom, tagsTo := tags, scratchTags[:len(tags)]
	for d := range counts {
		shift := d * digitBits
		// Distances computed in float32, and integers, share many digits.
		if counts[d][from[0]>>shift%radix] == len(keys) {
			continue
		}
		next := 0
		for i, n := range counts[d] {
			counts[d][i] = next
			next += n
		}
		place := &counts[d]
		if tags == nil {
			for _, k := range from {
				digit := k >> shift % radix
				to[place[digit]] = k
				place[digit]++
			}
		} else {
			for i, k := range from {
				digit := k >> shift % radix
				to[place[digit]], tagsTo[place[digit]] = k, tagsFrom[i]
				place[digit]++
			}
		}
		from, to = to, from
		tagsFrom, tagsTo = tagsTo, tagsFrom
	}
	if &from[0] != &keys[0] {
		copy(keys, from)
		copy(tags, tagsFrom)
	}
}
