package estimate_test

import (
	"testing"

	"gocv.io/x/gocv"

	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/estimate"
)

// openCV returns the homography of cv::findHomography by a method of calib3d.hpp.
func openCV(t *testing.T, src, dst []estimate.Point, e matching.Estimator, method gocv.HomographyMethod) (h keypoints.Homography) {
	from, to := gocv.NewMatWithSize(len(src), 2, gocv.MatTypeCV32FC1), gocv.NewMatWithSize(len(dst), 2, gocv.MatTypeCV32FC1)
	defer from.Close()
	defer to.Close()
	for i := range src {
		from.SetFloatAt(i, 0, src[i].X)
		from.SetFloatAt(i, 1, src[i].Y)
		to.SetFloatAt(i, 0, dst[i].X)
		to.SetFloatAt(i, 1, dst[i].Y)
	}
	mask := gocv.NewMat()
	defer mask.Close()
	m := gocv.FindHomography(from, to, method, e.ThresholdPx, &mask, e.Iterations, e.Confidence)
	defer m.Close()
	if m.Empty() {
		t.Fatal("OpenCV found no homography")
	}
	for i := range h {
		h[i] = m.GetDoubleAt(i/3, i%3)
	}
	return h
}

// OpenCV ends where a step is below 1.2e-7 in any of the eight numbers.
func TestRansacIsRefinedAsByOpenCV(t *testing.T) {
	ransac := matching.NewEstimator(matching.Ransac)
	for name, truth := range truths {
		for _, n := range []int{30, 400} {
			for _, outliers := range []float64{0, 0.5} {
				src, dst := matches(truth, n, outliers, 0.7, uint64(n))
				h := mustEstimate(t, src, dst, "ransac")
				if got := estimate.CornerError(h, openCV(t, src, dst, ransac, gocv.HomographyMethodRANSAC), width, height); !(got < 1e-5) {
					t.Errorf("%s, %d matches, %v wrong: corners %v px from OpenCV's", name, n, outliers, got)
				}
			}
		}
	}
}

// USAC_DEFAULT is 32, USAC_PARALLEL 33, USAC_FM_8PTS 34, USAC_FAST 35, USAC_ACCURATE 36,
// USAC_PROSAC 37, USAC_MAGSAC 38 (calib3d.hpp). Each finds something else here.
func TestMethodsOfUSACAreThoseOfOpenCV(t *testing.T) {
	src, dst := matches(truths["tilt"], 300, 0.7, 1.5, 4)
	seen := make(map[keypoints.Homography]string)
	for name, method := range map[string]gocv.HomographyMethod{"usac_default": 32, "usac_fast": 35, "usac_accurate": 36, "usac_prosac": 37, "magsac": 38} {
		e := matching.NewEstimator(name)
		want := must.Get(openCV(t, src, dst, e, method).Normalized())(t)
		if got, ok, err := estimate.Homography(estimate.Matches{Src: src, Dst: dst}, e); got != want || !ok || err != nil || seen[got] != "" {
			t.Errorf("%s: %v, ok %v, %v, want %v, unlike %q", name, got, ok, err, want, seen[got])
		}
		seen[want] = name
	}
}
