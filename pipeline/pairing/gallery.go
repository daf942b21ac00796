package pairing

import (
	"context"
	"slices"
	"sync"

	"descbench/eval/nearest"
	"descbench/eval/random"
)

// A galleryRanks holds the rank counts of queries in their fixed galleries.
type galleryRanks struct {
	ranked            []bool // queries that have a gallery
	lessThan, equalTo []int32
}

func (g galleryRanks) less(query int) int32 {
	if g.ranked == nil || !g.ranked[query] {
		return -1
	}
	return g.lessThan[query]
}

func (g galleryRanks) equal(query int) int32 {
	if g.ranked == nil || !g.ranked[query] {
		return -1
	}
	return g.equalTo[query]
}

// gallery ranks the answer to every query that has a truth among n candidates:
// the answer and n-1 others. It skips queries with fewer than n-1 others.
//
// The others of query row q are a random sample of the candidates that are not
// answers to it. random.New(seed, "fixed gallery", scene, k, q) draws their
// indices in row order. The sample depends on nothing else.
func (p *pairing) gallery(ctx context.Context, a answers) (galleryRanks, error) {
	fixed := p.evaluation.FixedGallery
	if fixed == nil {
		return galleryRanks{}, nil
	}
	candidates := p.other.set.Len()
	g := galleryRanks{ranked: make([]bool, len(a.ranked))}
	truths := make([]int32, len(a.ranked))
	for i, row := range a.ranked {
		truths[i] = -1
		if row >= 0 && candidates-len(a.of(i)) >= fixed.N-1 {
			g.ranked[i], truths[i] = true, row
		}
	}
	// For queries with a single answer, which is the usual case.
	decks := sync.Pool{New: func() any { return random.NewDeck(max(candidates-1, 0)) }}
	sample := func(q int, out []int32) []int32 {
		stream := random.New(fixed.Seed, "fixed gallery", p.scene, p.k, q)
		answers := a.of(q)
		if len(answers) == 1 {
			deck := decks.Get().(*random.Deck)
			out = append(out, deck.Deal(stream, fixed.N-1)...)
			decks.Put(deck)
		} else {
			for _, place := range stream.Sample(candidates-len(answers), fixed.N-1) {
				out = append(out, int32(place))
			}
		}
		for i, place := range out {
			out[i] = skipping(answers, place)
		}
		return out
	}
	var err error
	g.lessThan, g.equalTo, err = nearest.Among(ctx, p.first.rows, p.other.rows, truths, func(q int, out []int32) []int32 {
		if truths[q] < 0 {
			return nil
		}
		return sample(q, out[:0])
	}, p.searching())
	return g, err
}

// skipping returns the row at index place of the sequence of all rows without the
// given ones, which must be ascending.
func skipping(rows []int32, place int32) int32 {
	i, _ := slices.BinarySearch(rows, place)
	for place += int32(i); i < len(rows) && rows[i] <= place; i++ {
		place++
	}
	return place
}
