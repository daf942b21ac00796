package extract_test

import (
	"math"
	"slices"
	"testing"

	"descbench/keypoints/detect/detecttest"
)

// The definition, for either pyramid: the row of SIFT at angle 0, whatever the
// keypoint's own, even if SIFT cannot describe that.
func TestUprightSIFTIsSIFTAtAngleZero(t *testing.T) {
	img := detecttest.Textured(160, 120, 4).Image(t)
	found := mustDetect(t, img, detectorWith(t, "sift", ""))
	level := slices.Clone(found)
	for i := range level {
		level[i].Angle = 0
	}
	for _, pyramid := range []string{"full", "opencv"} {
		p := params(t, "usift", "pyramid="+pyramid)
		want := mustExtract(t, img, level, "sift", params(t, "sift", "pyramid="+pyramid))
		for _, turn := range []float32{0, 77.5, 359, -1, -20, 1e9, float32(math.Inf(1)), float32(math.NaN())} {
			turned := slices.Clone(found)
			for i := range turned {
				turned[i].Angle += turn
			}
			if got := mustExtract(t, img, turned, "usift", p); !equal(got, want) {
				t.Errorf("pyramid %s: angles turned by %v give other rows than SIFT at angle 0", pyramid, turn)
			}
		}
	}
}
