package extract_test

import (
	"math"
	"slices"
	"testing"

	"descbench/keypoints"
	"descbench/keypoints/detect/detecttest"
)

// The definition, for either pyramid: the row of SIFT at angle 0, whatever the
// keypoint's own, even if SIFT cannot describe that.
func TestUprightSIFTIsSIFTAtAngleZero(t *testing.T) {
	img := detecttest.Textured(160, 120, 4).Image(t)
	found := mustDetect(t, img, detectorParams(t))
	level := slices.Clone(found)
	for i := range level {
		level[i].Angle = 0
	}
	for _, pyramid := range []string{"full", "opencv"} {
		p := params(t, "usift", "pyramid", pyramid)
		want := mustExtract(t, img, level, "sift", params(t, "sift", "pyramid", pyramid))
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

// A quarter turn of the image that the keypoints follow keeps SIFT's rows, and
// the upright ones become others. On a ramp to the right everything is in bin 0,
// and on one downwards in bin 6, clockwise from it (Lowe, section 6.1).
func TestUprightSIFTIsNotInvariantToRotation(t *testing.T) {
	right := detecttest.Grey(81, 81, func(x, _ int) float64 { return 128 + 2*float64(x-40) }).Image(t)
	down := detecttest.Grey(81, 81, func(_, y int) float64 { return 128 + 2*float64(y-40) }).Image(t)
	k := at(40, 40, 6, 0)
	k.Angle = 90
	for bin, m := range map[int][]uint8{
		0: row(mustExtract(t, right, []keypoints.Keypoint{k}, "usift", params(t, "usift")), 0),
		6: row(mustExtract(t, down, []keypoints.Keypoint{k}, "usift", params(t, "usift")), 0),
	} {
		for i, v := range m {
			if i%8 == bin && v < 50 || i%8 != bin && v > 2 {
				t.Errorf("element %d is %d, want everything in bin %d", i, v, bin)
			}
		}
	}
}
