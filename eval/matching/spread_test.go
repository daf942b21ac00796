package matching

import (
	"math"
	"testing"

	"descbench/keypoints"
)

func TestSpreadWorkedByHand(t *testing.T) {
	var everyCell []keypoints.Keypoint
	for i := range 64 { // cells of 80 × 60 px in an image of 640 × 480
		everyCell = append(everyCell, at(float32(i%8)*80+40, float32(i/8)*60+30))
	}
	nan := float32(math.NaN())
	for _, c := range []struct {
		name   string
		points []keypoints.Keypoint
		want   float64
	}{
		{"one in each cell", everyCell, 1},
		{"one", []keypoints.Keypoint{at(3, 3)}, 0},
		{"all in one cell, which reaches from -0.5 to 79.5", []keypoints.Keypoint{at(-0.5, 0), at(79.25, 59.25), at(79, 0)}, 0},
		{"either side of an edge", []keypoints.Keypoint{at(79.25, 0), at(79.5, 0)}, 1. / 6},
		{"close to an edge", []keypoints.Keypoint{at(79.25, 0), at(79.49, 0)}, 0},
		{"four cells", everyCell[10:14], 2. / 6},
		{"three to one", []keypoints.Keypoint{at(0, 0), at(1, 0), at(0, 1), at(639, 479)}, (2 - 0.75*math.Log2(3)) / 6},
		{"beyond the corners", []keypoints.Keypoint{at(-9, -9), at(0, 0), at(639, 479), at(700, float32(math.Inf(1)))}, 1. / 6},
		{"some nowhere", []keypoints.Keypoint{at(3, 3), at(nan, 300)}, 0},
	} {
		if got := Spread(c.points, 640, 480); math.Abs(got-c.want) > 1e-15 || math.Signbit(got) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for _, points := range [][]keypoints.Keypoint{nil, {at(nan, 0)}} {
		if got := Spread(points, 640, 480); !math.IsNaN(got) {
			t.Errorf("of %v: %v", points, got)
		}
	}
}
