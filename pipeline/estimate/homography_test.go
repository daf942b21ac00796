package estimate_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"


	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/estimate"
)

func TestMain(m *testing.M) {
	detect.UseOneThread()
	os.Exit(m.Run())
}

const width, height = 800, 640

// truths are as far from the identity as those of HPatches: zoom, turn, tilt.
var truths = map[string]keypoints.Homography{
	"identity":       keypoints.Identity,
	"zoom and turn":  {0.9, -1.1, 300, 1.1, 0.9, -200, 0, 0, 1},
	"tilt":           {0.71, -0.11, 90, 0.05, 0.82, 20, -4e-4, -1e-4, 1},
	"strong tilt":    {0.45, 0.2, 120, -0.2, 0.9, 60, -8e-4, 3e-4, 1},
	"other sign":     {-1.2, 0.02, -5, 0.01, -1.3, 7, 1e-5, 1e-4, -1},
	"another scale":  {5e3, 100, 3e4, 0, 4.5e3, 1e4, 0.2, 0.1, 5e3},
	"shrunken image": {0.2, 0.01, 300, -0.01, 0.2, 250, 1e-6, -1e-5, 1},
}

// matches returns n matches between images of width×height px: the share of
// them that outliers says points anywhere, the rest moved by h and by noise,
// Gaussian, in px. right marks those within 3 px of where h maps them.
func matches(h keypoints.Homography, n int, outliers, noise float64, seed uint64) (src, dst []estimate.Point, right []bool) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		p := estimate.Point{X: float32(r.Float64() * width), Y: float32(r.Float64() * height)}
		x, y := h.Apply(float64(p.X), float64(p.Y))
		q := estimate.Point{X: float32(x + noise*r.NormFloat64()), Y: float32(y + noise*r.NormFloat64())}
		if float64(i) < outliers*float64(n) {
			q = estimate.Point{X: float32(r.Float64() * width), Y: float32(r.Float64() * height)}
		}
		src, dst = append(src, p), append(dst, q)
		right = append(right, math.Hypot(float64(q.X)-x, float64(q.Y)-y) <= 3)
	}
	return src, dst, right
}

func mustEstimate(t *testing.T, src, dst []estimate.Point, estimator string) (keypoints.Homography, []bool) {
	t.Helper()
	h, inliers, ok, err := estimate.Homography(src, dst, estimator)
	if err != nil || !ok {
		t.Fatalf("%s: ok %v, error %v", estimator, ok, err)
	}
	return h, inliers
}

func TestExactMatchesGiveTheTrueHomography(t *testing.T) {
	for name, truth := range truths {
		for _, estimator := range estimate.Estimators() {
			for _, n := range []int{4, 5, 8, 30, 500} {
				src, dst, _ := matches(truth, n, 0, 0, 7)
				h, inliers := mustEstimate(t, src, dst, estimator)
				// Coordinates are rounded to float32, 3e-5 px; few points pass an
				// error on to the corners several times larger.
				if got := estimate.CornerError(h, truth, width, height); !(got < 0.01) {
					t.Errorf("%s, %s, %d matches: corner error %v px", name, estimator, n, got)
				}
				if slices.Contains(inliers, false) {
					t.Errorf("%s, %s, %d matches: not all are inliers", name, estimator, n)
				}
			}
		}
	}
}

func TestHalfOfTheMatchesMayBeWrong(t *testing.T) {
	for name, truth := range truths {
		for _, estimator := range estimate.Estimators() {
			for seed := range uint64(10) {
				src, dst, right := matches(truth, 400, 0.5, 0.7, seed)
				h, inliers := mustEstimate(t, src, dst, estimator)
				if got := estimate.CornerError(h, truth, width, height); !(got < 1) {
					t.Errorf("%s, %s, seed %d: corner error %v px", name, estimator, seed, got)
				}
				disagree := 0
				for i := range right {
					if right[i] != inliers[i] {
						disagree++
					}
				}
				if disagree > 8 {
					t.Errorf("%s, %s, seed %d: %d of 400 inliers are not those of the truth", name, estimator, seed, disagree)
				}
			}
		}
	}
}
