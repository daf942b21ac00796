package keypoints

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// planeOf returns the mapping by a homography of images whose size does not matter.
func planeOf(h Homography) Mapping {
	m, err := Plane(h, [2]int{1, 1}, [2]int{1, 1})
	if err != nil {
		panic(err)
	}
	return m
}

func TestProjectCarriesThePositionAndNothingElse(t *testing.T) {
	k := Keypoint{X: 100, Y: 50, Size: 7.5, Angle: 30, Response: 0.1, Octave: 0x01ff, ClassID: 3}
	// Twice the size, moved by (10, 20): (210, 120).
	got := Set{Keypoints: []Keypoint{k}}.Project(planeOf(Homography{2, 0, 10, 0, 2, 20, 0, 0, 1}), 640, 480, Border{40, Closed})
	want := k
	want.X, want.Y = 210, 120
	if !slices.Equal(got.Keypoints, []Keypoint{want}) || !slices.Equal(got.Source, []int32{0}) {
		t.Errorf("got %+v, want %+v from row 0", got, want)
	}
}

func TestProjectKeepsWhatEndsInsideTheBorderOfTheGivenSize(t *testing.T) {
	set := at([2]float32{40, 40}, [2]float32{300, 100}, [2]float32{500, 100}, [2]float32{600, 440})
	shift := Homography{1, 0, 50, 0, 1, 0, 0, 0, 1} // 50 px to the right
	for _, c := range []struct {
		name          string
		width, height int
		rule          BorderRule
		want          []int32
	}{
		{"image 1 of 640×480: x ≤ 600 keeps 90, 350, 550", 640, 480, Closed, []int32{0, 1, 2}},
		{"image k of 390×480: x ≤ 350 keeps 90, 350", 390, 480, Closed, []int32{0, 1}},
		{"image k of 390×480: x < 350 keeps 90", 390, 480, HalfOpen, []int32{0}},
		{"image k of 690×480: x ≤ 650, y ≤ 440 keeps all", 690, 480, Closed, []int32{0, 1, 2, 3}},
		{"image k of 690×130: y ≤ 90 keeps the first", 690, 130, Closed, []int32{0}},
	} {
		got := set.Project(planeOf(shift), c.width, c.height, Border{40, c.rule})
		if !slices.Equal(got.Source, c.want) || !slices.Equal(ids(got), c.want) {
			t.Errorf("%s: kept %v from rows %v, want %v", c.name, ids(got), got.Source, c.want)
		}
	}
}

func TestProjectDropsWhatGoesToInfinity(t *testing.T) {
	set := at([2]float32{2, 5}, [2]float32{3, 5}, [2]float32{2, 0})
	// w = x − 2: (2, 5) has w = 0; (3, 5) stays; (2, 0) gives 2/0 and 0/0.
	got := set.Project(planeOf(Homography{1, 0, 0, 0, 1, 0, 1, 0, -2}), 100, 100, Border{0, Closed})
	if want := []int32{1}; !slices.Equal(got.Source, want) {
		t.Errorf("kept rows %v, want %v", got.Source, want)
	}
}

func TestProjectOfNothingIsAnEmptyProjectedSet(t *testing.T) {
	got := Set{}.Project(planeOf(Identity), 100, 100, Border{0, Closed})
	if got.Len() != 0 || got.Source == nil {
		t.Errorf("got %+v, want no keypoints and a source that is not nil", got)
	}
}

func TestProjectedKeypointsPassTheBorderTheyWereJudgedBy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHomography(t)
		rule := rapid.SampledFrom([]BorderRule{Closed, HalfOpen}).Draw(t, "rule")
		var set Set
		for range rapid.IntRange(0, 30).Draw(t, "keypoints") {
			x, y := drawPixel(t)
			set.Keypoints = append(set.Keypoints, Keypoint{X: float32(x), Y: float32(y)})
		}
		got := set.Project(planeOf(h), 640, 480, Border{40, rule})
		if again := got.Select(got.RowsInsideBorder(640, 480, Border{40, rule})); !slices.Equal(again.Source, got.Source) {
			t.Fatalf("of rows %v the border keeps %v", got.Source, again.Source)
		}
		for i, row := range got.Source {
			x, y := h.Apply(float64(set.Keypoints[row].X), float64(set.Keypoints[row].Y))
			if k := got.Keypoints[i]; k.X != float32(x) || k.Y != float32(y) {
				t.Fatalf("row %d is at (%v, %v), want (%v, %v)", row, k.X, k.Y, x, y)
			}
			if i > 0 && got.Source[i-1] >= row {
				t.Fatalf("rows %v are out of order", got.Source)
			}
		}
	})
}
