package matching

import (
	"fmt"
	"math"

	"descbench/eval/record"
)

// check fails if the record of a pair contradicts those of its queries. matches are
// the indices of the matched queries.
func check(r record.Records, matches []int32) error {
	p, c := &r.Pair, repeatability(&r.Pair)
	if c.Shared1 < 0 || c.Shared1 > p.Keypoints1 || c.SharedK < 0 || c.SharedK > p.KeypointsK {
		return fmt.Errorf("%d of %d keypoints of image 1 and %d of %d of image %d in the shared region", c.Shared1, p.Keypoints1, c.SharedK, p.KeypointsK, p.K)
	}
	if err := c.check(); err != nil {
		return err
	}
	shared, correct := int32(0), int32(0)
	for i := range r.Queries {
		if r.Queries[i].Shared {
			shared++
		}
	}
	for _, i := range matches {
		if r.Queries[i].NearestError <= TolerancePx {
			correct++
		}
	}
	switch {
	case shared != c.Shared1:
		return fmt.Errorf("%d queries are in the shared region, want %d as in the record of the pair", shared, c.Shared1)
	case p.CorrectSharedK < 0 || p.CorrectSharedK > correct || p.CorrectSharedK > c.SharedK:
		return fmt.Errorf("%d correct matches in the shared region, but only %d in total and %d keypoints in the shared region", p.CorrectSharedK, correct, c.SharedK)
	}
	for i, s := range []float64{p.Spread1, p.SpreadK} {
		keypoints := []int32{p.Keypoints1, p.KeypointsK}[i]
		if s < 0 || s > 1 || keypoints == 0 && !math.IsNaN(s) {
			return fmt.Errorf("spread %v of %d keypoints, want 0 to 1, or NaN without keypoints", s, keypoints)
		}
	}
	for _, e := range CornerErrors(p) {
		if e.Px < 0 {
			return fmt.Errorf("corner error of estimator %q is %v px, want 0 or more", e.Estimator, e.Px)
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
			return fmt.Errorf("%d of %d keypoints are repeated, with a sum of distances of %v px", v.repeated, v.shared, v.errorSum)
		}
	}
	if c.OneToOne < 0 || c.OneToOne > min(c.Repeated1, c.RepeatedK) {
		return fmt.Errorf("%d one-to-one pairs of %d and %d repeated keypoints", c.OneToOne, c.Repeated1, c.RepeatedK)
	}
	return nil
}
