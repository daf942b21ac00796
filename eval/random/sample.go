package random

import (
	"fmt"
	"slices"
)

// Sample returns m different numbers from 0..n-1 in random order. Every
// sequence is equally likely, so m = n gives a random permutation. It panics
// unless 0 ≤ m ≤ n.
//
// It performs the first m steps of the Fisher-Yates shuffle, where step i swaps
// the number at place i with the one at place i + IntN(n-i). Unless m is a good part of n, it
// takes time and memory for m numbers.
func (s *Stream) Sample(n, m int) []int {
	if m < 0 || m > n {
		panic(fmt.Sprintf("random: sample of %d from %d, want 0 ≤ sample ≤ total", m, n))
	}
	if n < 32*m {
		numbers := make([]int, n)
		for i := range numbers {
			numbers[i] = i
		}
		for i := range m {
			j := i + s.IntN(n-i)
			numbers[i], numbers[j] = numbers[j], numbers[i]
		}
		return slices.Clone(numbers[:m])
	}
	out := make([]int, m)
	moved := make(map[int]int, m) // place → number, where they differ
	at := func(place int) int {
		if v, ok := moved[place]; ok {
			return v
		}
		return place
	}
	for i := range out {
		j := i + s.IntN(n-i)
		out[i] = at(j)
		moved[j] = at(i) // place i is not read again
	}
	return out
}
