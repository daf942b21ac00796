package estimate_test

import (
	"math"
	"testing"

	"descbench/keypoints"
	"descbench/pipeline/estimate"
)

func TestCornerErrorIsTheMeanDistanceOfTheFourCorners(t *testing.T) {
	id := keypoints.Identity
	for _, c := range []struct {
		name     string
		h, truth keypoints.Homography
		want     float64 // of an image of 101×51 px: corners at 0 and 100, 0 and 50
	}{
		{"equal", id, id, 0},
		{"moved by (3, 4)", keypoints.Homography{1, 0, 3, 0, 1, 4, 0, 0, 1}, id, 5},
		{"the other way round", id, keypoints.Homography{1, 0, 3, 0, 1, 4, 0, 0, 1}, 5},
		{"zoomed to twice the size", keypoints.Homography{2, 0, 0, 0, 2, 0, 0, 0, 1}, id, (0 + 100 + 50 + math.Sqrt(100*100+50*50)) / 4},
		{"sheared in x by y", keypoints.Homography{1, 1, 0, 0, 1, 0, 0, 0, 1}, id, (0 + 0 + 50 + 50) / 4.},
		// (100, y) goes to (100, y)/2.
		{"tilted", keypoints.Homography{1, 0, 0, 0, 1, 0, 0.01, 0, 1}, id, (0 + 50 + 0 + math.Sqrt(50*50+25*25)) / 4},
		{"another scale and sign", keypoints.Homography{-2, 0, -6, 0, -2, -8, 0, 0, -2}, id, 5},
		{"a corner at infinity", keypoints.Homography{1, 0, 0, 0, 1, 0, -0.01, 0, 1}, id, math.Inf(1)},
		{"a corner of the truth at infinity", id, keypoints.Homography{1, 0, 0, 0, 1, 0, 0, -0.02, 1}, math.Inf(1)},
		{"both at infinity", keypoints.Homography{1, 0, 0, 0, 1, 0, -0.01, 0, 1}, keypoints.Homography{1, 0, 0, 0, 1, 0, -0.01, 0, 1}, math.Inf(1)},
		{"0/0", keypoints.Homography{1, 0, -100, 0, 1, 0, -0.01, 0, 1}, id, math.Inf(1)},
	} {
		got := estimate.CornerError(c.h, c.truth, 101, 51)
		if got != c.want && !(math.Abs(got-c.want) < 1e-12*c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestCornersOfAnImageOfOnePixelAreAllItsOrigin(t *testing.T) {
	h := keypoints.Homography{9, 9, 6, 9, 8, 8, 0, 0, 1}
	if got := estimate.CornerError(h, keypoints.Identity, 1, 1); got != 10 {
		t.Errorf("%v, want 10", got)
	}
}
