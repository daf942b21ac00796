// Package places numbers the patches of sequences, one sequence after the other, to draw
// pairs of them.
package places

import (
	"fmt"
	"slices"

	"descbench/eval/patches"
	"descbench/eval/random"
)

// Places are the patches of sequences. Each is a place in all images of its sequence.
type Places struct {
	Textured []int // those with enough texture for a query
	starts   []int // first number of each sequence, and the end
}

// New returns the places of sequences. set names the sequences together.
func New(set string, sequences []patches.StripSequence) (Places, error) {
	p := Places{starts: []int{0}}
	if len(sequences) < 2 {
		return p, fmt.Errorf("%s: %d sequence, want at least 2 to draw negatives from another sequence", set, len(sequences))
	}
	for i, s := range sequences {
		n := len(s.Textured)
		if n < 2 {
			return p, fmt.Errorf("sequence %s: %d patch, want at least 2 to draw negatives from the same sequence", s.Name, n)
		}
		for k, textured := range s.Textured {
			if textured {
				p.Textured = append(p.Textured, p.starts[i]+k)
			}
		}
		p.starts = append(p.starts, p.starts[i]+n)
	}
	return p, nil
}

// Total returns the number of places.
func (p Places) Total() int { return p.starts[len(p.starts)-1] }

// At returns the sequence of a place and the index of its patch.
func (p Places) At(n int) (sequence, index int) {
	i, exact := slices.BinarySearch(p.starts, n) // every sequence has patches
	if !exact {
		i--
	}
	return i, n - p.starts[i]
}

// InOther draws a place in another sequence than that of n.
func (p Places) InOther(n int, s *random.Stream) int {
	i, _ := p.At(n)
	count := p.starts[i+1] - p.starts[i]
	return (p.starts[i+1] + s.IntN(p.Total()-count)) % p.Total()
}

// InSame draws another place in the sequence of n.
func (p Places) InSame(n int, s *random.Stream) int {
	i, index := p.At(n)
	count := p.starts[i+1] - p.starts[i]
	return p.starts[i] + (index+1+s.IntN(count-1))%count
}

// TwoImages returns the nth pair of different images, in random order.
func TwoImages(n int, s *random.Stream) (a, b int) {
	for a = 1; n >= a; a++ {
		n -= a
	}
	if s.IntN(2) == 1 {
		return n, a
	}
	return a, n
}
