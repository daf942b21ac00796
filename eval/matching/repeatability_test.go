package matching

import (
	"math"
	"testing"

	"descbench/eval/record"
	"descbench/keypoints"
)

func at(x, y float32) keypoints.Keypoint { return keypoints.Keypoint{X: x, Y: y, Size: 1} }

// shift moves by 10 px to the right; exact, as is its inverse.
var shift, shiftBack = keypoints.Homography{1, 0, 10, 0, 1, 0, 0, 0, 1}, keypoints.Homography{1, 0, -10, 0, 1, 0, 0, 0, 1}

func TestRepeatabilityWorkedByHand(t *testing.T) {
	size := [2]int{100, 100}
	a := []keypoints.Keypoint{
		at(5, 5),     // to (15, 5): 3 px from b0
		at(50, 50),   // to (60, 50): 1 px from b1 and b2
		at(95, 50),   // to (105, 50), beyond image K, although b5 is 2 px away from (101, 50)
		at(20, 20),   // to (30, 20): alone
		at(0, 90),    // to (10, 90): 1 px from b4, which image 1 does not show
		at(89, 70),   // to (99, 70), the last column: alone
		at(89.5, 70), // to (99.5, 70), beyond it
	}
	b := []keypoints.Keypoint{
		at(15, 8),  // back to (5, 8): 3 px from a0, the tolerance itself
		at(60, 51), // back to (50, 51): 1 px from a1
		at(61, 50), // back to (51, 50): 1 px from a1
		at(80, 80), // back to (70, 80): alone
		at(9, 90),  // back to (-1, 90), beyond image 1
	}
	got := counted(shift, shiftBack, a, b, size, size)
	want := record.Pair{Shared1: 5, SharedK: 4, Repeated1: 2, RepeatedK: 3, RepeatedOnce: 2, RepeatErrorSum1: 3 + 1, RepeatErrorSumK: 3 + 1 + 1}
	if got.pair != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for name, f := range map[string][2]float64{
		"repeatability":            {got.repeatability(), 5. / 9},
		"one-to-one repeatability": {got.oneToOneRepeatability(), 4. / 9},
		"localization error":       {got.localizationErrorPx(), 9. / 5},
	} {
		if f[0] != f[1] {
			t.Errorf("%s: %v, want %v", name, f[0], f[1])
		}
	}
}

// mapping returns the mapping of an image to another one of these sizes.
func mapping(h keypoints.Homography, from, to [2]int) keypoints.Mapping {
	m, err := keypoints.Plane(h, from, to)
	if err != nil {
		panic(err)
	}
	return m
}

// counted returns the tally of a pair with the counts of its repeated keypoints.
func counted(h, inverse keypoints.Homography, a, b []keypoints.Keypoint, size1, sizeK [2]int) *pairTally {
	t := &pairTally{}
	EnterRepeatability(&t.pair, a, b, mapping(h, size1, sizeK).Places(a), mapping(inverse, sizeK, size1).Places(b))
	return t
}

func TestRepeatabilityOfNothingIsUndefined(t *testing.T) {
	size := [2]int{100, 100}
	far := []keypoints.Keypoint{at(95, 50), at(float32(math.NaN()), 3)}
	c := counted(shift, shiftBack, far, nil, size, size)
	if c.pair.Shared1 != 0 || !math.IsNaN(c.repeatability()) || !math.IsNaN(c.oneToOneRepeatability()) || !math.IsNaN(c.localizationErrorPx()) {
		t.Errorf("got %+v, %v, %v, %v", c.pair, c.repeatability(), c.oneToOneRepeatability(), c.localizationErrorPx())
	}
}
