// Package radix sorts many numbers, several times as fast as sorting by comparison.
package radix

import (
	"math/bits"
	"slices"
)

const (
	fewKeys  = 1 << 9 // up to which slices.Sort is faster
	maxDigit = 11     // bits
)

// Sort sorts keys in ascending order. scratch is at least as long and is overwritten.
func Sort[K ~uint64](keys, scratch []K) {
	if len(keys) < fewKeys {
		slices.Sort(keys)
		return
	}
	SortTagged(keys, scratch, nil, nil)
}

// SortTagged is like Sort and moves tags, if there are any, with their keys. Tags of
// equal keys stay in order.
func SortTagged[K ~uint64](keys, scratch []K, tags, scratchTags []uint32) {
	// Distances computed in float32, and integers, share many bits.
	varying := uint64(0)
	for _, k := range keys {
		varying |= uint64(k ^ keys[0])
	}
	if varying == 0 {
		return
	}
	low, high := uint(bits.TrailingZeros64(varying)), uint(bits.Len64(varying))
	passes := (high - low + maxDigit - 1) / maxDigit
	digit := (high - low + passes - 1) / passes
	mask := K(1)<<digit - 1
	from, to := keys, scratch[:len(keys)]
	tagsFrom, tagsTo := tags, scratchTags[:len(tags)]
	for shift := low; shift < high; shift += digit {
		var next [1 << maxDigit]int // place of the next key with this digit
		for _, k := range from {
			next[k>>(shift%64)&mask%(1<<maxDigit)]++
		}
		sum := 0
		for d, n := range next[:mask+1] {
			next[d] = sum
			sum += n
		}
		for i, k := range from {
			place := &next[k>>(shift%64)&mask%(1<<maxDigit)]
			to[*place] = k
			if tagsFrom != nil {
				tagsTo[*place] = tagsFrom[i]
			}
			*place++
		}
		from, to = to, from
		tagsFrom, tagsTo = tagsTo, tagsFrom
	}
	if &from[0] != &keys[0] {
		copy(keys, from)
		copy(tags, tagsFrom)
	}
}
