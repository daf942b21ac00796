package estimate_test

import (
	"math"
	"testing"

	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/estimate"
)

// drawn returns n matches in an image of 1000×1000 px, the first good ones within a
// pixel of the truth, from a generator that a few lines of any language repeat.
func drawn(seed uint32, n, good int) (estimate.Matches, keypoints.Homography) {
	truth := keypoints.Homography{0.9, 0.1, 20, -0.05, 1.1, -15, 1e-4, 5e-5, 1}
	next := func() float64 {
		seed = (1103515245*seed + 12345) % (1 << 31)
		return float64((seed >> 8) % 1000)
	}
	var m estimate.Matches
	for i := range n {
		x, y := next(), next()
		u, v := truth.Apply(x, y)
		if i < good {
			u, v = u+(next()-500)/500, v+(next()-500)/500
		} else {
			u, v = next(), next()
		}
		m.Src = append(m.Src, estimate.Point{X: float32(x), Y: float32(y)})
		m.Dst = append(m.Dst, estimate.Point{X: float32(u), Y: float32(v)})
		m.Weights = append(m.Weights, 1-float64(i)/20)
	}
	return m, truth
}

// The corner errors are those of Python's cv2 4.6:
// findHomography(src, dst, cv2.RANSAC, 3.0, maxIters=2000 or 3000, confidence=0.995).
// One match in six is right, so that the number of samples decides.
func TestTheNumberOfSamplesIsThatOfTheEstimator(t *testing.T) {
	m, truth := drawn(5, 120, 20)
	for name, want := range map[string]float64{"ransac_opencv": 2.371657, "ransac_3000it_opencv": 1.591306, "ransac": 2.371657, "ransac_3000it": 1.591306} {
		e := must.Get(matching.ParseEstimator(name))(t)
		h, ok, err := estimate.Homography(m, e)
		if got := estimate.CornerError(h, truth, 1000, 1000); !ok || err != nil || math.Abs(got-want) > 2e-6 {
			t.Errorf("%s: corner error %v, want %v (ok %v, %v)", name, got, want, ok, err)
		}
	}
}

// The corner errors are NumPy's, for 12 right and 2 wrong matches: both images moved to
// their mean and scaled to a mean distance of √2, then numpy.linalg.eigh of AᵀWA, or
// numpy.linalg.solve with a right side of ones. A mean square of 2 gives 1213.42.
func TestLinearEstimatesAreThoseOfNumPy(t *testing.T) {
	m, truth := drawn(7, 14, 12)
	for name, want := range map[string]float64{
		"dlt": 1210.9563655685422, "dlt_system": 763.4870291885804, "dlt_scored": 642.8076635359322, "dlt_scored_system": 1236.793537318118,
	} {
		e := must.Get(matching.ParseEstimator(name))(t)
		h, ok, err := estimate.Homography(m, e)
		if got := estimate.CornerError(h, truth, 1000, 1000); !ok || err != nil || math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: corner error %v, want %v (ok %v, %v)", name, got, want, ok, err)
		}
	}
}
