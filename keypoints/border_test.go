package keypoints

import (
	"math"
	"slices"
	"testing"
)

// at returns a set of keypoints at the given positions, numbered by ClassID.
func at(positions ...[2]float32) Set {
	s := Set{}
	for i, p := range positions {
		s.Keypoints = append(s.Keypoints, Keypoint{X: p[0], Y: p[1], Size: 7, Angle: 90, Octave: 255, ClassID: int32(i)})
	}
	return s
}

// ids returns the ClassIDs of the keypoints, in order.
func ids(s Set) []int32 {
	out := []int32{}
	for _, k := range s.Keypoints {
		out = append(out, k.ClassID)
	}
	return out
}

func TestBorderLineIsInsideOnlyWhereTheRuleSaysSo(t *testing.T) {
	// 640×480, border 40: 40 ≤ x ≤ 600, 40 ≤ y ≤ 440.
	below, above := math.Nextafter32(40, 0), math.Nextafter32(600, 1000)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	set := at(
		[2]float32{40, 40},                            // 0
		[2]float32{600, 440},                          // 1: both far edges
		[2]float32{600, 200},                          // 2: right edge
		[2]float32{300, 440},                          // 3: lower edge
		[2]float32{below, 200},                        // 4: just outside, left
		[2]float32{200, below},                        // 5: just outside, top
		[2]float32{above, 200},                        // 6: just outside, right
		[2]float32{math.Nextafter32(600, 0), 439.999}, // 7: just inside
		[2]float32{nan, 200}, [2]float32{200, nan},    // 8, 9
		[2]float32{inf, 200}, [2]float32{200, -inf}, // 10, 11
	)
	if got, want := ids(set.Select(set.RowsInsideBorder(640, 480, Border{40, Closed}))), []int32{0, 1, 2, 3, 7}; !slices.Equal(got, want) {
		t.Errorf("closed keeps %v, want %v", got, want)
	}
	if got, want := ids(set.Select(set.RowsInsideBorder(640, 480, Border{40, HalfOpen}))), []int32{0, 7}; !slices.Equal(got, want) {
		t.Errorf("half_open keeps %v, want %v", got, want)
	}
}

func TestInsideBorderKeepsTheSourceOfAProjectedSet(t *testing.T) {
	set := at([2]float32{0, 0}, [2]float32{50, 50}, [2]float32{60, 60})
	set.Source = []int32{4, 7, 9}
	got := set.Select(set.RowsInsideBorder(100, 100, Border{10, Closed}))
	if want := []int32{7, 9}; !slices.Equal(got.Source, want) {
		t.Errorf("source %v, want %v", got.Source, want)
	}
}
