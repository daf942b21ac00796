package pairing

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/keypoints"
)

// A selection is the rows of the keypoints of an image pair that enter its evaluation.
type selection struct {
	first, other []int
	there        []keypoints.Place // of all keypoints of the first image in the other
}

// selected returns the n keypoints of each image of the highest response in the region of
// the evaluation that both images share, given the places of all in the other image; ties in
// response go to the lower row.
func (p *pairing) selected(n int, there, back []keypoints.Place) (selection, error) {
	if err := cmp.Or(p.first.set.CheckTop(n, keypoints.ByResponse), p.other.set.CheckTop(n, keypoints.ByResponse)); err != nil {
		return selection{}, fmt.Errorf("pair 1_%d: %w", p.k, err)
	}
	return selection{p.best(n, p.first, p.other, p.mapping, there), p.best(n, p.other, p.first, p.mapping.Inverse(), back), there}, nil
}

// best returns the rows of the n keypoints of an image of the highest response in the region
// that it shares with another one, given the mapping to it and their places in it.
func (p *pairing) best(n int, of, in view, m keypoints.Mapping, places []keypoints.Place) []int {
	var rows []int
	for _, row := range of.set.TopRows(of.set.Len(), keypoints.ByResponse) {
		shares := sharedByImage(places[row], in)
		if p.evaluation.KeynetRegion {
			shares = sharedByKeynet(of.set.Keypoints[row], m, of, in)
		}
		if shares && len(rows) < n {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows) // as in the records, so that a re-evaluation estimates from the same order
	return rows
}

// sharedByImage reports whether a place (x, y) in an image satisfies 0 ≤ x < width and
// 0 ≤ y < height. So do keep_shared_points of
// superpoint/evaluations/descriptor_evaluation.py and compute_repeatability of
// detector_evaluation.py, rpautrat/SuperPoint, commit 1411bbd.
func sharedByImage(p keypoints.Place, in view) bool {
	return p.X >= 0 && p.X < float64(in.width) && p.Y >= 0 && p.Y < float64(in.height)
}

// keynetBorder is the width in px of the border of each image that is not in Key.Net's
// region.
const keynetBorder = 15

// sharedByKeynet reports whether the position of a keypoint, rounded to pixels, is 1 in the masks of
// create_common_region_masks of HSequences_bench/tools/geometry_tools.py,
// axelBarroso/Key.Net, commit 24808fb: inside the border of its image, where
// cv2.warpPerspective of the other image's inside is at least 0.75.
func sharedByKeynet(k keypoints.Keypoint, m keypoints.Mapping, of, in view) bool {
	x, y := math.RoundToEven(float64(k.X)), math.RoundToEven(float64(k.Y))
	p := m.Place(x, y)
	return insideAt(x, of.width) == 1 && insideAt(y, of.height) == 1 && insideAt(p.X, in.width)*insideAt(p.Y, in.height) >= 0.75
}

// insideAt interpolates along an axis between pixels that are 1 inside the border and 0
// outside. OpenCV rounds positions to 1/32 px.
func insideAt(x float64, size int) float64 {
	x = math.RoundToEven(32*x) / 32
	return max(0, min(1, x-(keynetBorder-1), float64(size-keynetBorder)-x))
}

// only returns the pair of the selected keypoints.
func (p *pairing) only(s selection) *pairing {
	out := *p
	out.first, out.other = p.first.only(s.first), p.other.only(s.other)
	if out.first.set.Source == nil { // projections name rows of all keypoints
		for _, row := range s.first {
			out.first.set.Source = append(out.first.set.Source, int32(row))
		}
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
	p.matches, p.took.search, p.took.estimate = of.matches, of.took.search, of.took.estimate
	if err != nil {
		return pair, nil, err
	}
	pair.Invalid1 = int32(p.first.rows.CountInvalid())
	queries := make([]record.Query, p.first.set.Len())
	for row, place := range s.there {
		queries[row] = p.unanswered(row, place)
		queries[row].Shared, queries[row].Invalid, queries[row].Candidates = false, p.first.rows.IsInvalid(row), int32(len(s.other))
	}
	for i, row := range s.first {
		q := chosen[i]
		q.Row = int32(row)
		for _, other := range []*int32{&q.Truth, &q.Nearest, &q.Second} {
			if *other >= 0 {
				*other = int32(s.other[*other])
			}
		}
		queries[row] = q
	}
	return pair, queries, nil
}

// unanswered returns the record of a query, given its place in the other image, without any
// answer.
func (p *pairing) unanswered(row int, at keypoints.Place) record.Query {
	k, nan := p.first.set.Keypoints[row], float32(math.NaN())
	q := record.Query{
		Scene: p.scene, K: int32(p.k), Row: int32(row), X: k.X, Y: k.Y,
		Truth: -1, TruthX: nan, TruthY: nan, TruthError: math.Inf(1),
		Nearest: -1, NearestX: nan, NearestY: nan, NearestDistance: math.NaN(), NearestError: math.Inf(1), NearestError1: math.Inf(1),
		Second: -1, SecondDistance: math.NaN(), Partner: matching.UnknownPartner, GalleryLess: -1, GalleryEqual: -1, Shared: at.State == keypoints.Visible,
	}
	q.ProjectedX, q.ProjectedY = at.X, at.Y
	if at.X-at.X != 0 || at.Y-at.Y != 0 { // not finite: both are undefined
		q.ProjectedX, q.ProjectedY = math.NaN(), math.NaN()
	}
	return q
}
