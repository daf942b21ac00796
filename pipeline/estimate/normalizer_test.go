package estimate

import (
	"math"
	"testing"

	"descbench/keypoints"
)

// Three points at (0, 0) and one at (12, 16) have the mean (3, 4) and the distances 5, 5,
// 5 and 15 from it: 7.5 in the mean, and 75 in the mean of the squares.
func TestPointsAreScaledByTheirDistancesFromTheMean(t *testing.T) {
	points, marked := []Point{{0, 0}, {0, 0}, {99, 7}, {0, 0}, {12, 16}}, []bool{true, true, false, true, true}
	for of, want := range map[size]float64{meanSquare: math.Sqrt(2. / 75), meanDistance: math.Sqrt2 / 7.5} {
		if s := normalizer(points, marked, of); s.x != 3 || s.y != 4 || math.Abs(s.scale-want) > 1e-15 || !s.finite() {
			t.Errorf("size %d: got %+v, want the mean (3, 4) and the scale %v", of, s, want)
		}
		if normalizer(points[:2], marked[:2], of).finite() || normalizer(points, make([]bool, 5), of).finite() {
			t.Errorf("size %d: one place, or none, is scaled", of)
		}
	}
}

func TestTheThresholdIsWithinIt(t *testing.T) {
	src, dst := []Point{{7, 8}, {7, 8}}, []Point{{7, 11}, {7, 11.01}}
	if got := Within(keypoints.Identity, src, dst, 3); !got[0] || got[1] {
		t.Errorf("3 and 3.01 px: %v, want true and false", got)
	}
}
