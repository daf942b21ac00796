package eval

import (
	"fmt"
	"math"
)

func (o Options) check() error {
	if !(o.TolerancePx >= 0 && o.TolerancePx <= MaxTolerancePx) {
		return fmt.Errorf("tolerance %v px, want 0 to %d: records reach no further", o.TolerancePx, MaxTolerancePx)
	}
	if o.Ties > Workbench {
		return fmt.Errorf("unknown rule for ties: %v", o.Ties)
	}
	for i, k := range o.Cutoffs {
		if k < 1 || i > 0 && k <= o.Cutoffs[i-1] {
			return fmt.Errorf("cut-offs %v, want whole numbers from 1, ascending", o.Cutoffs)
		}
	}
	return nil
}

// check looks for contradictions in the record of a pair.
func (p *Pair) check() error {
	switch {
	case p.Scene == "":
		return fmt.Errorf("pair 1_%d has no scene", p.K)
	case p.K < 2:
		return fmt.Errorf("image 1 is paired with image %d, want 2 or more", p.K)
	case p.Keypoints1 < 0 || p.Invalid1 < 0 || p.Invalid1 > p.Keypoints1:
		return fmt.Errorf("%d of %d rows of image 1 are invalid", p.Invalid1, p.Keypoints1)
	case p.KeypointsK < 0 || p.InvalidK < 0 || p.InvalidK > p.KeypointsK:
		return fmt.Errorf("%d of %d rows of image %d are invalid", p.InvalidK, p.KeypointsK, p.K)
	}
	return nil
}

// checkQueries looks for contradictions between a pair and its queries, which
// are in the order of rows: one record per keypoint of image 1.
func (p *Pair) checkQueries(queries []Query) error {
	if len(queries) != int(p.Keypoints1) {
		return fmt.Errorf("%d query records, want one for each of %d keypoints", len(queries), p.Keypoints1)
	}
	invalid := int32(0)
	for i := range queries {
		q := &queries[i]
		if int(q.Row) != i {
			return fmt.Errorf("row %d where row %d was expected: rows are missing or repeated", q.Row, i)
		}
		if err := q.check(p); err != nil {
			return fmt.Errorf("row %d: %w", q.Row, err)
		}
		if q.Invalid {
			invalid++
		}
	}
	if invalid != p.Invalid1 {
		return fmt.Errorf("%d query records are invalid, the pair says %d", invalid, p.Invalid1)
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
		return fmt.Errorf("truth is row %d of %d", q.Truth, p.KeypointsK)
	case q.Nearest < -1 || q.Nearest >= p.KeypointsK:
		return fmt.Errorf("nearest is row %d of %d", q.Nearest, p.KeypointsK)
	case q.Truth < 0 && (q.Less != 0 || q.Equal != 0):
		return fmt.Errorf("%d candidates nearer and %d as near, but no truth", q.Less, q.Equal)
	case q.Truth >= 0 && !(q.TruthError >= 0 && q.TruthError <= MaxTolerancePx):
		return fmt.Errorf("truth at %v px, want 0 to %d", q.TruthError, MaxTolerancePx)
	case q.Less < 0 || q.Equal < 0:
		return fmt.Errorf("%d candidates nearer and %d as near as the truth", q.Less, q.Equal)
	case q.Truth >= 0 && int64(q.Less)+int64(q.Equal) >= int64(q.Candidates):
		return fmt.Errorf("%d candidates nearer and %d as near as the truth, but %d in all", q.Less, q.Equal, q.Candidates)
	case q.Nearest >= 0 && (math.IsNaN(q.NearestError) || q.NearestError < 0):
		return fmt.Errorf("nearest at %v px", q.NearestError)
	case q.Nearest >= 0 && q.Invalid:
		return fmt.Errorf("invalid, but row %d is its nearest", q.Nearest)
	}
	return nil
}

// checkScene reports whether p and q can be pairs of one scene.
func (p *Pair) checkScene(q *Pair) error {
	type scene struct {
		Digest, SetDigest             string
		Width1, Height1               int32
		Keypoints1, InvalidKeypoints1 int32
	}
	a := scene{p.SceneDigest, p.SetDigest, p.Width1, p.Height1, p.Keypoints1, p.Invalid1}
	b := scene{q.SceneDigest, q.SetDigest, q.Width1, q.Height1, q.Keypoints1, q.Invalid1}
	if a != b {
		return fmt.Errorf("image 1 is not that of pair 1_%d: %+v, there %+v", q.K, a, b)
	}
	return nil
}
