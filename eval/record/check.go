package record

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/scope"
)

// Records holds the consistent records of one image pair.
type Records struct {
	Pair    Pair
	Queries []Query // one per keypoint of image 1, sorted by row
}

// NewRecords returns the records of a pair and of all its queries, which may be in
// any order. It fails if the records contradict each other.
func NewRecords(pair Pair, queries []Query) (Records, error) {
	byRow := func(p, q Query) int { return int(p.Row) - int(q.Row) }
	if !slices.IsSortedFunc(queries, byRow) {
		queries = slices.SortedStableFunc(slices.Values(queries), byRow)
	}
	r := Records{pair, queries}
	if err := r.check(); err != nil {
		return Records{}, scope.Errorf(pair.Descriptor, pair.Scene, int(pair.K), "%w", err)
	}
	return r, nil
}

func (r *Records) check() error {
	p := &r.Pair
	switch {
	case p.Scene == "":
		return fmt.Errorf("pair 1_%d has no scene", p.K)
	case p.K < 2:
		return fmt.Errorf("image 1 is paired with image %d, want 2 or more", p.K)
	case p.Keypoints1 < 0 || p.Invalid1 < 0 || p.Invalid1 > p.Keypoints1:
		return fmt.Errorf("%d of %d rows of image 1 are invalid", p.Invalid1, p.Keypoints1)
	case p.KeypointsK < 0 || p.InvalidK < 0 || p.InvalidK > p.KeypointsK:
		return fmt.Errorf("%d of %d rows of image %d are invalid", p.InvalidK, p.KeypointsK, p.K)
	case len(r.Queries) != int(p.Keypoints1):
		return fmt.Errorf("%d query records, want one for each of %d keypoints", len(r.Queries), p.Keypoints1)
	}
	invalid := int32(0)
	taken := make([]bool, p.KeypointsK)
	for i := range r.Queries {
		q := &r.Queries[i]
		if int(q.Row) != i {
			return fmt.Errorf("found row %d, want row %d: rows are missing or repeated", q.Row, i)
		}
		if err := q.check(p); err != nil {
			return fmt.Errorf("row %d: %w", q.Row, err)
		}
		if q.Invalid {
			invalid++
		}
		if q.Mutual {
			if taken[q.Nearest] {
				return fmt.Errorf("row %d: row %d of image %d is the mutual nearest neighbour of two rows", q.Row, q.Nearest, q.K)
			}
			taken[q.Nearest] = true
		}
	}
	if invalid != p.Invalid1 {
		return fmt.Errorf("%d query records are invalid, want %d as in the pair record", invalid, p.Invalid1)
	}
	return nil
}

func (q *Query) check(p *Pair) error {
	switch {
	case q.Descriptor != p.Descriptor || q.Scene != p.Scene || q.K != p.K:
		return fmt.Errorf("record of %s, %s/1_%d", q.Descriptor, q.Scene, q.K)
	case q.Candidates < 0 || q.Candidates > p.KeypointsK:
		return fmt.Errorf("%d candidates among %d keypoints", q.Candidates, p.KeypointsK)
	case q.Truth < -1 || q.Truth >= p.KeypointsK:
		return fmt.Errorf("ground truth is row %d of %d", q.Truth, p.KeypointsK)
	case q.Nearest < -1 || q.Nearest >= p.KeypointsK:
		return fmt.Errorf("nearest neighbour is row %d of %d", q.Nearest, p.KeypointsK)
	case q.Second < -1 || q.Second >= p.KeypointsK || q.Second >= 0 && q.Second == q.Nearest:
		return fmt.Errorf("second nearest neighbour is row %d of %d, nearest neighbour is row %d", q.Second, p.KeypointsK, q.Nearest)
	case q.Truth < 0 && (q.Less != 0 || q.Equal != 0):
		return fmt.Errorf("%d candidates nearer than the ground truth and %d tied with it, but there is no ground truth", q.Less, q.Equal)
	case q.Truth >= 0 && !(q.TruthError >= 0 && q.TruthError <= scope.MaxTolerancePx):
		return fmt.Errorf("ground truth at %v px, want 0 to %d", q.TruthError, scope.MaxTolerancePx)
	case q.Less < 0 || q.Equal < 0:
		return fmt.Errorf("%d candidates nearer than the ground truth and %d tied with it, want 0 or more", q.Less, q.Equal)
	case q.Truth >= 0 && int64(q.Less)+int64(q.Equal) >= int64(q.Candidates):
		return fmt.Errorf("%d candidates nearer than the ground truth and %d tied with it, but only %d in total", q.Less, q.Equal, q.Candidates)
	case q.Nearest < 0 && (q.Mutual || q.Second >= 0):
		return fmt.Errorf("no nearest neighbour, but it is mutual or there is a second nearest")
	case q.Nearest >= 0 && !(q.NearestError >= 0):
		return fmt.Errorf("nearest neighbour at %v px, want 0 or more", q.NearestError)
	case q.Nearest >= 0 && q.Invalid:
		return fmt.Errorf("invalid, but row %d is its nearest neighbour", q.Nearest)
	case q.Second >= 0 && !(q.NearestDistance >= 0 && q.NearestDistance <= q.SecondDistance && !math.IsInf(q.SecondDistance, 1)):
		return fmt.Errorf("nearest neighbour at distance %v, second nearest at %v", q.NearestDistance, q.SecondDistance)
	}
	return nil
}

// SameScene fails if p and q, pairs of one scene, contradict each other about its
// image 1.
func (p *Pair) SameScene(q *Pair) error {
	type scene struct {
		Digest, SetDigest             string
		Width1, Height1               int32
		Keypoints1, InvalidKeypoints1 int32
		Spread1                       uint64 // bits, so that NaN equals NaN
	}
	of := func(p *Pair) scene {
		if p.Imported == ImportedPoints { // each pair has its own points
			return scene{Digest: p.SceneDigest, SetDigest: p.SetDigest, Width1: p.Width1, Height1: p.Height1}
		}
		return scene{p.SceneDigest, p.SetDigest, p.Width1, p.Height1, p.Keypoints1, p.Invalid1, math.Float64bits(p.Spread1 + 0)}
	}
	if a, b := of(p), of(q); a != b {
		return fmt.Errorf("image 1 differs from that of pair 1_%d: %+v, want %+v", q.K, a, b)
	}
	return nil
}
