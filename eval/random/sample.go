package random

import "fmt"

// Sample returns m different numbers from 0..n-1 in random order. Every
// sequence is equally likely, so m = n gives a random permutation. It takes
// time and memory for m numbers. It panics unless 0 ≤ m ≤ n.
//
// It performs the first m steps of the Fisher-Yates shuffle, where step i swaps
// the number at place i with the one at place i + IntN(n-i).
func (s *Stream) Sample(n, m int) []int {
	checkSample(n, m)
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

// A Deck of n cards draws many samples from the same 0..n-1. Its samples
// allocate no memory and take less time than Stream.Sample.
type Deck struct {
	cards []int32 // in order between samples
	hand  []int32
	swaps []int32
}

// NewDeck returns a deck of n cards numbered from 0.
func NewDeck(n int) *Deck {
	d := &Deck{cards: make([]int32, n)}
	for i := range d.cards {
		d.cards[i] = int32(i)
	}
	return d
}

// Deal returns the same numbers as s.Sample(n, m), for n up to the number of cards. The
// slice is valid until the next call.
func (d *Deck) Deal(s *Stream, n, m int) []int32 {
	checkSample(n, m)
	d.swaps = d.swaps[:0]
	for i := range m {
		j := i + s.IntN(n-i)
		d.cards[i], d.cards[j] = d.cards[j], d.cards[i]
		d.swaps = append(d.swaps, int32(j))
	}
	d.hand = append(d.hand[:0], d.cards[:m]...)
	for i := m - 1; i >= 0; i-- {
		j := d.swaps[i]
		d.cards[i], d.cards[j] = d.cards[j], d.cards[i]
	}
	return d.hand
}

func checkSample(n, m int) {
	if m < 0 || m > n {
		panic(fmt.Sprintf("random: sample of %d from %d, want 0 ≤ sample ≤ total", m, n))
	}
}
