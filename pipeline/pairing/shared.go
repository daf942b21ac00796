package pairing

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"descbench/eval/record"
	"descbench/keypoints"
)

// A selection is the rows of the keypoints of an image pair that enter its evaluation.
type selection struct {
	first, other []int
	inverse      keypoints.Homography // from the other image to the first
}

// selected returns the n keypoints of each image of the highest response in the region of
// the evaluation that both images share; ties in response go to the lower row.
func (p *pairing) selected(n int) (selection, error) {
	inverse, err := p.h.Inverse()
	if err != nil {
		return selection{}, err
	}
	if err := cmp.Or(p.first.set.CheckTop(n, keypoints.ByResponse), p.other.set.CheckTop(n, keypoints.ByResponse)); err != nil {
		return selection{}, fmt.Errorf("pair 1_%d: %w", p.k, err)
	}
	shares := sharedByImage
	if p.evaluation.KeynetRegion {
		shares = sharedByKeynet
	}
	return selection{best(p.first, p.h, p.other, n, shares), best(p.other, inverse, p.first, n, shares), inverse}, nil
}

// sharedByImage reports whether the projection (x, y) of a position lies in the other
// image, 0 ≤ x < width and 0 ≤ y < height. So do keep_shared_points of
// superpoint/evaluations/descriptor_evaluation.py and compute_repeatability of
// detector_evaluation.py, rpautrat/SuperPoint, commit 1411bbd.
func sharedByImage(x, y float64, h keypoints.Homography, _, in view) bool {
	x, y = h.Apply(x, y)
	return x >= 0 && x < float64(in.width) && y >= 0 && y < float64(in.height)
}

// keynetBorder is the width in px of the border of each image that is not in Key.Net's
// region.
const keynetBorder = 15

// sharedByKeynet reports whether a position, rounded to pixels, is 1 in the masks of
// create_common_region_masks of HSequences_bench/tools/geometry_tools.py,
// axelBarroso/Key.Net, commit 24808fb: inside the border of its image, where
// cv2.warpPerspective of the other image's inside is at least 0.75.
func sharedByKeynet(x, y float64, h keypoints.Homography, of, in view) bool {
	x, y = math.RoundToEven(x), math.RoundToEven(y)
	px, py := h.Apply(x, y)
	return insideAt(x, of.width) == 1 && insideAt(y, of.height) == 1 && insideAt(px, in.width)*insideAt(py, in.height) >= 0.75
}

// insideAt interpolates along an axis between pixels that are 1 inside the border and 0
// outside. OpenCV rounds positions to 1/32 px.
func insideAt(x float64, size int) float64 {
	x = math.RoundToEven(32*x) / 32
	return max(0, min(1, x-(keynetBorder-1), float64(size-keynetBorder)-x))
}

func best(of view, h keypoints.Homography, in view, n int, shares func(x, y float64, h keypoints.Homography, of, in view) bool) []int {
	var rows []int
	for _, row := range of.set.TopRows(of.set.Len(), keypoints.ByResponse) {
		k := of.set.Keypoints[row]
		if shares(float64(k.X), float64(k.Y), h, of, in) && len(rows) < n {
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
	p.took.search, p.took.estimate = of.took.search, of.took.estimate
	if err != nil {
		return pair, nil, err
	}
	pair.Invalid1 = int32(p.first.rows.CountInvalid())
	queries := make([]record.Query, p.first.set.Len())
	for row, k := range p.first.set.Keypoints {
		x, y := p.h.Apply(float64(k.X), float64(k.Y))
		queries[row] = p.unanswered(row, x, y)
		queries[row].Invalid, queries[row].Candidates = p.first.rows.IsInvalid(row), int32(len(s.other))
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

// unanswered returns the record of a query, given its projection, without any answer.
func (p *pairing) unanswered(row int, x, y float64) record.Query {
	k, nan := p.first.set.Keypoints[row], float32(math.NaN())
	q := record.Query{
		Scene: p.scene, K: int32(p.k), Row: int32(row), X: k.X, Y: k.Y,
		Truth: -1, TruthX: nan, TruthY: nan, TruthError: math.Inf(1),
		Nearest: -1, NearestX: nan, NearestY: nan, NearestDistance: math.NaN(), NearestError: math.Inf(1),
		Second: -1, SecondDistance: math.NaN(), GalleryLess: -1, GalleryEqual: -1,
	}
	q.ProjectedX, q.ProjectedY = x, y
	if x-x != 0 || y-y != 0 { // not finite: both are undefined
		q.ProjectedX, q.ProjectedY = math.NaN(), math.NaN()
	}
	return q
}
