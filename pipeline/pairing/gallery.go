package pairing

import (
	"context"
	"math"
	"slices"

	"descbench/eval/nearest"
	"descbench/eval/random"
)

// A galleryRanks holds the rank counts of queries in their fixed galleries, -1 for
// queries without one.
type galleryRanks struct{ less, equal []int32 }

// gallery ranks the answer to every query that has a truth among n candidates:
// the answer and n-1 others. It skips queries with fewer than n-1 others.
//
// The others of query row q are a random sample of the candidates that are not
// answers to it. random.New(seed, "fixed gallery", scene, k, q) draws their
// indices in row order. The sample depends on nothing else.
//
// If the query or its answer is invalid, all others are nearer.
func (p *pairing) gallery(ctx context.Context, a answers) (galleryRanks, error) {
	n, candidates := len(a.ranked), p.other.set.Len()
	g := galleryRanks{slices.Repeat([]int32{-1}, n), slices.Repeat([]int32{-1}, n)}
	fixed := p.evaluation.FixedGallery
	if fixed == nil {
		return g, nil
	}
	measure, err := nearest.NewMeasure(p.first.rows, p.other.rows)
	if err != nil {
		return g, err
	}
	gallery, keys := make([]int32, fixed.N), make([]float64, fixed.N)
	for q, row := range a.ranked {
		if err := ctx.Err(); err != nil {
			return g, err
		}
		answers := a.of(q)
		if row < 0 || candidates-len(answers) < fixed.N-1 {
			continue
		}
		stream := random.New(fixed.Seed, "fixed gallery", p.scene, p.k, q)
		for i, place := range stream.Sample(candidates-len(answers), fixed.N-1) {
			gallery[i] = skipping(answers, int32(place))
		}
		gallery[fixed.N-1] = row
		measure.Order(q, gallery, keys)
		own := keys[fixed.N-1]
		g.less[q], g.equal[q] = 0, 0
		for _, key := range keys[:fixed.N-1] {
			switch {
			case key < own || math.IsInf(own, 1):
				g.less[q]++
			case key == own:
				g.equal[q]++
			}
		}
	}
	return g, nil
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
