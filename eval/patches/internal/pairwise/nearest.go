package pairwise

import (
	"context"
	"math"

	"descbench/descriptors"
	"descbench/eval/nearest"
	"descbench/eval/patches"
)

// Nearest returns, for each row of a, its nearest and second nearest row of b, or -1
// if there is no such row. On ties the lower row comes first. Invalid rows have no
// nearest neighbours and are not neighbours of other rows.
func (m Measure) Nearest(ctx context.Context, a, b *descriptors.Matrix) (first, second []int32, err error) {
	if m.distance == patches.L1 && a.Type != descriptors.Bits {
		return m.nearestOfAll(ctx, a, b)
	}
	r, err := nearest.Search(ctx, a, b, nil)
	if err != nil {
		return nil, nil, err
	}
	return r.Nearest, r.Second, nil
}

// First returns, for each row of a, its nearest row of b and their key, or -1 and +Inf
// if there is none. On ties the lower row comes first. The keys of rows of the same
// number limit what is looked for, so that it takes less time where these are near.
func (m Measure) First(a, b *descriptors.Matrix) (rows []int32, keys []float64, err error) {
	candidates, err := NewCandidates(m, b)
	if err != nil {
		return nil, nil, err
	}
	same := make([]RowPair, min(a.Rows, b.Rows))
	for i := range same {
		same[i] = RowPair{MatrixA: 0, RowA: int32(i), MatrixB: 1, RowB: int32(i)}
	}
	rows, keys = make([]int32, a.Rows), make([]float64, a.Rows)
	for i := range rows {
		rows[i], keys[i] = -1, math.Inf(1)
	}
	m.PairKeys(keys[:len(same)], []*descriptors.Matrix{a, b}, same)
	for i := range same {
		if keys[i] < math.Inf(1) {
			rows[i] = int32(i)
		}
	}
	candidates.Scan(a, keys, func(i int, near []nearest.Near, slack float64) {
		for _, n := range near {
			row, key := int32(n.Row), n.D2
			if key-slack > keys[i] || row == rows[i] {
				continue
			}
			if slack > 0 {
				key = candidates.Key(a, i, n.Row)
			}
			if key < keys[i] || key == keys[i] && row < rows[i] {
				rows[i], keys[i] = row, key
			}
		}
	})
	return rows, keys, nil
}

// nearestOfAll computes the key of every pair. It visits rows in ascending order, so
// that the lower row wins on ties.
func (m Measure) nearestOfAll(ctx context.Context, a, b *descriptors.Matrix) (first, second []int32, err error) {
	first, second = make([]int32, a.Rows), make([]int32, a.Rows)
	keys := make([]float64, b.Rows)
	for i := range a.Rows {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		m.keys(keys, a, i, b, 0)
		first[i], second[i] = -1, -1
		best, next := math.Inf(1), math.Inf(1)
		for j, key := range keys {
			switch {
			case key < best:
				next, second[i] = best, first[i]
				best, first[i] = key, int32(j)
			case key < next:
				next, second[i] = key, int32(j)
			}
		}
	}
	return first, second, nil
}
