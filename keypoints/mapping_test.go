package keypoints

import (
	"errors"
	"math"
	"testing"

	"descbench/eval/must"
)

// Image K has twice the size of image 1: its last pixel is (99, 79).
func TestAPlaceIsVisibleUpToTheCentreOfTheLastPixel(t *testing.T) {
	m := must.Get(Plane(Homography{2, 0, 0, 0, 2, 0, 0, 0, 1}, [2]int{50, 40}, [2]int{100, 80}))(t)
	for at, want := range map[[2]float64]bool{
		{0, 0}: true, {49.5, 39.5}: true, {49.6, 1}: false, {1, 39.6}: false, {-0.1, 1}: false, {1, -0.1}: false, {math.NaN(), 1}: false,
	} {
		p := m.Place(at[0], at[1])
		if (p.State == Visible) != want || want && (p.X != 2*at[0] || p.Y != 2*at[1]) {
			t.Errorf("%v: %+v, want visible %v", at, p, want)
		}
		if back := m.Inverse().Place(p.X, p.Y); want && (back.X != at[0] || back.Y != at[1] || (back.State == Visible) != (at[0] <= 49 && at[1] <= 39)) {
			t.Errorf("back from %+v: %+v, want %v", p, back, at)
		}
	}
	if back := m.Inverse().Inverse(); back != m || m.Homography()[0] != 2 {
		t.Errorf("twice inverted: %v", back)
	}
	p := m.Places([]Keypoint{{X: 1, Y: 2}})[0]
	if got := p.PixelError(Keypoint{X: 5, Y: 8}); got != 5 {
		t.Errorf("from (2, 4) to (5, 8): %v px, want 5", got)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), 1e200} {
		if got := (Place{X: x}).PixelError(Keypoint{}); !math.IsInf(got, 1) {
			t.Errorf("from (%v, 0): %v px, want +Inf", x, got)
		}
	}
}

func TestOnlyWhatCanBeUsedIsAMapping(t *testing.T) {
	size := [2]int{9, 9}
	if _, err := Plane(Homography{1, 2, 3, 2, 4, 6, 0, 0, 1}, size, size); !errors.Is(err, ErrSingular) {
		t.Errorf("singular: %v", err)
	}
	if _, err := Plane(Homography{0: math.Inf(1), 4: 1, 8: 1}, size, size); err == nil {
		t.Error("an infinite element is accepted")
	}
	for _, sizes := range [][2][2]int{{size, {0, 9}}, {{9, -1}, size}} {
		if _, err := Plane(Identity, sizes[0], sizes[1]); err == nil {
			t.Errorf("images of %v px are accepted", sizes)
		}
	}
}
