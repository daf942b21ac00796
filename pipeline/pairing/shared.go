package pairing

import (
	"context"
	"math"
	"slices"

	"descbench/eval/record"
	"descbench/keypoints"
)

// A selection is the rows of the keypoints of an image pair that enter its evaluation.
type selection struct{ first, other []int }

// selected returns the n keypoints of each image of the highest response among those whose
// projection (x, y) lies in the other image, 0 ≤ x < width and 0 ≤ y < height; ties in
// response go to the lower row. These are keep_shared_points of
// superpoint/evaluations/descriptor_evaluation.py and the points of
// compute_repeatability of detector_evaluation.py, rpautrat/SuperPoint, commit 1411bbd.
func (p *pairing) selected(n int) (selection, error) {
	inverse, err := p.h.Inverse()
	if err != nil {
		return selection{}, err
	}
	return selection{best(p.first, p.h, p.other, n), best(p.other, inverse, p.first, n)}, nil
}

func best(of view, h keypoints.Homography, in view, n int) []int {
	var rows []int
	for _, row := range of.set.TopRows(of.set.Len(), keypoints.ByResponse) {
		k := of.set.Keypoints[row]
		x, y := h.Apply(float64(k.X), float64(k.Y))
		if x >= 0 && x < float64(in.width) && y >= 0 && y < float64(in.height) && len(rows) < n {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows) // as in the records, so that a re-evaluation estimates from the same order
	return rows
}

// only returns the pair of the selected keypoints.
func (p *pairing) only(s selection) *pairing {
	out := *p
	out.first, out.other = p.first.only(s.first), p.other.only(s.other)
	if out.first.set.Source == nil { // projections name rows of all keypoints
		out.first.set.Source = int32s(s.first)
	}
	return &out
}

func (v view) only(rows []int) view {
	v.set = v.set.Select(rows)
	if v.rows != nil {
		v.rows = v.rows.Select(rows)
	}
	return v
}

// evaluateSelected is evaluate for the selected keypoints. The other ones of image 1 have
// query records without answers.
func (p *pairing) evaluateSelected(ctx context.Context, g geometry) (record.Pair, []record.Query, error) {
	s := *g.selected
	of := p.only(s)
	pair, chosen, err := of.evaluateAll(ctx, g)
	p.took.search, p.took.estimate = of.took.search, of.took.estimate
	if err != nil {
		return pair, nil, err
	}
	pair.Invalid1 = int32(p.first.rows.CountInvalid())
	nan := float32(math.NaN())
	queries := make([]record.Query, p.first.set.Len())
	for row, k := range p.first.set.Keypoints {
		x, y := p.h.Apply(float64(k.X), float64(k.Y))
		q := &queries[row]
		*q = record.Query{
			Scene: p.scene, K: int32(p.k), Row: int32(row), X: k.X, Y: k.Y,
			Truth: -1, TruthX: nan, TruthY: nan, TruthError: math.Inf(1),
			Nearest: -1, NearestX: nan, NearestY: nan, NearestDistance: math.NaN(), NearestError: math.Inf(1),
			Second: -1, SecondDistance: math.NaN(), Invalid: p.first.rows.IsInvalid(row),
			Candidates: int32(len(s.other)), GalleryLess: -1, GalleryEqual: -1,
		}
		q.ProjectedX, q.ProjectedY = finite(x, y)
	}
	for i, row := range s.first {
		q := chosen[i]
		q.Row = int32(row)
		for _, other := range []*int32{&q.Truth, &q.Nearest, &q.Second} {
			if *other >= 0 {
				*other = int32(s.other[*other])
			}
		}
		q.Shared = true
		queries[row] = q
	}
	return pair, queries, nil
}

func int32s(rows []int) []int32 {
	out := make([]int32, len(rows))
	for i, row := range rows {
		out[i] = int32(row)
	}
	return out
}
