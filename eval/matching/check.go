package matching

import (
	"fmt"
	"math"

	"descbench/eval"
)

// check fails if options make no sense.
func (o Options) check() error {
	if !(o.TolerancePx >= 0 && o.TolerancePx <= eval.MaxTolerancePx) {
		return fmt.Errorf("tolerance %v px, want 0 to %d: records reach no further", o.TolerancePx, eval.MaxTolerancePx)
	}
	return nil
}

// checkPair looks for contradictions in the record of a pair.
func checkPair(p *eval.Pair) error {
	switch {
	case p.Scene == "":
		return fmt.Errorf("pair 1_%d has no scene", p.K)
	case p.K < 2:
		return fmt.Errorf("image 1 is paired with image %d, want 2 or more", p.K)
	case p.Keypoints1 < 0:
		return fmt.Errorf("image 1 has %d keypoints", p.Keypoints1)
	case p.KeypointsK < 0 || p.InvalidK < 0 || p.InvalidK > p.KeypointsK:
		return fmt.Errorf("%d of %d rows of image %d are invalid", p.InvalidK, p.KeypointsK, p.K)
	}
	return nil
}

// checkScene fails if t and u, of one scene, tell different things of image 1.
func (t *pairTally) checkScene(u *pairTally) error {
	type image struct {
		SceneDigest, SetDigest string
		Keypoints              int32
		Spread                 uint64 // bits, for NaN equals NaN
	}
	of := func(t *pairTally) image {
		return image{t.pair.SceneDigest, t.pair.SetDigest, t.pair.Keypoints1, math.Float64bits(t.facts.Spread1 + 0)}
	}
	if of(t) != of(u) {
		return fmt.Errorf("image 1 is not that of pair 1_%d: %d keypoints of set %q, scene %q, spread %v; there %d of %q, %q, %v", u.pair.K,
			t.pair.Keypoints1, t.pair.SetDigest, t.pair.SceneDigest, t.facts.Spread1, u.pair.Keypoints1, u.pair.SetDigest, u.pair.SceneDigest, u.facts.Spread1)
	}
	return nil
}

// checkQueries looks for contradictions between a pair and its queries, which
// may be in any order: one record per keypoint of image 1.
func checkQueries(p *eval.Pair, queries []eval.Query) error {
	if len(queries) != int(p.Keypoints1) {
		return fmt.Errorf("%d query records, want one for each of %d keypoints", len(queries), p.Keypoints1)
	}
	seen, taken := make([]bool, p.Keypoints1), make([]bool, p.KeypointsK)
	for i := range queries {
		q := &queries[i]
		if q.Row < 0 || q.Row >= p.Keypoints1 || seen[q.Row] {
			return fmt.Errorf("row %d repeated or not below %d", q.Row, p.Keypoints1)
		}
		seen[q.Row] = true
		if err := checkQuery(q, p); err != nil {
			return fmt.Errorf("row %d: %w", q.Row, err)
		}
		if q.Mutual {
			if taken[q.Nearest] {
				return fmt.Errorf("row %d: row %d of image %d is the mutual nearest neighbour of two rows", q.Row, q.Nearest, q.K)
			}
			taken[q.Nearest] = true
		}
	}
	return nil
}

func checkQuery(q *eval.Query, p *eval.Pair) error {
	switch {
	case q.Descriptor != p.Descriptor || q.Scene != p.Scene || q.K != p.K:
		return fmt.Errorf("record of %s, %s/1_%d", q.Descriptor, q.Scene, q.K)
	case q.Truth < -1 || q.Truth >= p.KeypointsK:
		return fmt.Errorf("truth is row %d of %d", q.Truth, p.KeypointsK)
	case q.Truth >= 0 && !(q.TruthError >= 0 && q.TruthError <= eval.MaxTolerancePx):
		return fmt.Errorf("truth at %v px, want 0 to %d", q.TruthError, eval.MaxTolerancePx)
	case q.Nearest < -1 || q.Nearest >= p.KeypointsK:
		return fmt.Errorf("nearest is row %d of %d", q.Nearest, p.KeypointsK)
	case q.Second < -1 || q.Second >= p.KeypointsK || q.Second >= 0 && q.Second == q.Nearest:
		return fmt.Errorf("second nearest is row %d of %d, the nearest row %d", q.Second, p.KeypointsK, q.Nearest)
	case q.Nearest < 0 && (q.Mutual || q.Second >= 0):
		return fmt.Errorf("no nearest, but it is mutual or there is a second")
	case q.Nearest >= 0 && q.Invalid:
		return fmt.Errorf("invalid, but row %d is its nearest", q.Nearest)
	case q.Nearest >= 0 && !(q.NearestError >= 0):
		return fmt.Errorf("nearest at %v px", q.NearestError)
	case q.Second >= 0 && !(q.NearestDistance >= 0 && q.NearestDistance <= q.SecondDistance && !math.IsInf(q.SecondDistance, 1)):
		return fmt.Errorf("nearest at distance %v, second at %v", q.NearestDistance, q.SecondDistance)
	}
	return nil
}

// check looks for contradictions between the facts of a pair and its records.
func (f *Facts) check(p *eval.Pair, queries []eval.Query) error {
	c := &f.Repeatability
	if c.Shared1 < 0 || c.Shared1 > p.Keypoints1 || c.SharedK < 0 || c.SharedK > p.KeypointsK {
		return fmt.Errorf("%d of %d keypoints of image 1 and %d of %d of image %d in the shared region", c.Shared1, p.Keypoints1, c.SharedK, p.KeypointsK, p.K)
	}
	if err := c.check(); err != nil {
		return err
	}
	shared, matches := int32(0), int32(0)
	for i := range queries {
		if queries[i].Shared {
			shared++
		}
		if correct(&queries[i], TolerancePx) {
			matches++
		}
	}
	switch {
	case shared != c.Shared1:
		return fmt.Errorf("%d queries are in the shared region, the facts say %d", shared, c.Shared1)
	case f.CorrectSharedK < 0 || f.CorrectSharedK > matches || f.CorrectSharedK > c.SharedK:
		return fmt.Errorf("%d correct matches in the shared region, but %d in all and %d keypoints there", f.CorrectSharedK, matches, c.SharedK)
	}
	for i, s := range []float64{f.Spread1, f.SpreadK} {
		keypoints := []int32{p.Keypoints1, p.KeypointsK}[i]
		if s < 0 || s > 1 || keypoints == 0 && !math.IsNaN(s) {
			return fmt.Errorf("spread %v of %d keypoints", s, keypoints)
		}
	}
	for i, e := range f.Corners {
		if i > 0 && e.Estimator <= f.Corners[i-1].Estimator {
			return fmt.Errorf("corner errors of %s after %s, want estimators by name", e.Estimator, f.Corners[i-1].Estimator)
		}
		if e.Estimator == "" || !(e.Px >= 0) {
			return fmt.Errorf("corner error of estimator %q is %v px", e.Estimator, e.Px)
		}
	}
	return nil
}

func (c *Counts) check() error {
	for _, v := range []struct {
		shared, repeated int32
		errorSum         float64
	}{{c.Shared1, c.Repeated1, c.ErrorSum1}, {c.SharedK, c.RepeatedK, c.ErrorSumK}} {
		if v.repeated < 0 || v.repeated > v.shared || !(v.errorSum >= 0 && v.errorSum <= TolerancePx*float64(v.repeated)*(1+1e-9)) {
			return fmt.Errorf("%d of %d keypoints are repeated, their distances sum to %v px", v.repeated, v.shared, v.errorSum)
		}
	}
	if c.OneToOne < 0 || c.OneToOne > min(c.Repeated1, c.RepeatedK) {
		return fmt.Errorf("%d pairs one-to-one of %d and %d repeated keypoints", c.OneToOne, c.Repeated1, c.RepeatedK)
	}
	return nil
}
