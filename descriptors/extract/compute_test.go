package extract

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/eval/must"
)

// TestRowsArePlacedOnlyIfTheyAreWhatWasAskedFor hands place what OpenCV could
// come to give.
func TestRowsArePlacedOnlyIfTheyAreWhatWasAskedFor(t *testing.T) {
	for _, c := range []struct {
		name       string
		rows, cols int
		kind       gocv.MatType
		of         descriptors.ElementType
		to         []int
		want       string // in the error; empty for none
	}{
		{"bits", 2, 2, gocv.MatTypeCV8UC1, descriptors.Bits, []int{3, 1}, ""},
		{"numbers", 2, 12, gocv.MatTypeCV32F, descriptors.Float32, []int{3, 1}, ""},
		{"integers", 2, 12, gocv.MatTypeCV32F, descriptors.Uint8, []int{3, 1}, ""},
		{"none", 0, 0, gocv.MatTypeCV8UC1, descriptors.Bits, nil, ""},
		{"row lost", 1, 2, gocv.MatTypeCV8UC1, descriptors.Bits, []int{3, 1}, "returned 1×2 descriptors"},
		{"row too many", 3, 2, gocv.MatTypeCV8UC1, descriptors.Bits, []int{3, 1}, "returned 3×2 descriptors"},
		{"other length", 2, 3, gocv.MatTypeCV8UC1, descriptors.Bits, []int{3, 1}, "want 2×2"},
		{"other type", 2, 2, gocv.MatTypeCV32F, descriptors.Bits, []int{3, 1}, "of type CV32F"},
		{"twice", 2, 2, gocv.MatTypeCV8UC1, descriptors.Bits, []int{3, 3}, "for keypoint 3"},
		{"beyond", 2, 2, gocv.MatTypeCV8UC1, descriptors.Bits, []int{3, 4}, "for keypoint 4"},
		{"negative", 2, 2, gocv.MatTypeCV8UC1, descriptors.Bits, []int{-1, 2}, "for keypoint -1"},
	} {
		mat := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(7, 0, 0, 0), c.rows, c.cols, c.kind)
		m, err := place(descriptors.New(4, 12, c.of), mat, c.to)
		mat.Close()
		if c.want != "" {
			must.FailAbout(t, err, c.want)
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for i := range 4 {
			has := slices.Contains(c.to, i)
			var first float64
			if c.of == descriptors.Float32 {
				first = float64(m.Float32[i*12])
			} else {
				first = float64(m.Uint8[i*m.Stride()])
			}
			if m.IsInvalid(i) == has || (first == 7) != has {
				t.Errorf("%s: row %d begins with %v, invalid %v", c.name, i, first, m.IsInvalid(i))
			}
		}
	}
}

// OpenCV's SIFT promises integers from 0 to 255 as floating-point numbers.
func TestRowsOfIntegersAreTakenOnlyIfTheyAreIntegers(t *testing.T) {
	for value, want := range map[float32]string{
		255: "", 0.5: "row 1, element 11 is 0.5", -1: "is -1", 256: "is 256", float32(math.NaN()): "is NaN",
	} {
		mat := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(7, 0, 0, 0), 2, 12, gocv.MatTypeCV32F)
		mat.SetFloatAt(1, 11, value)
		m, err := place(descriptors.New(4, 12, descriptors.Uint8), mat, []int{3, 1})
		mat.Close()
		switch {
		case want == "" && (err != nil || m.Uint8[23] != 255):
			t.Errorf("%v: error %v", value, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%v: error %v, want one with %q", value, err, want)
		}
	}
}

func TestRowsInOrderAreTakenOnlyIfOpenCVKeptAllKeypoints(t *testing.T) {
	given := []gocv.KeyPoint{{X: 1, Size: 4}, {X: 2, Size: 4}}
	turned := []gocv.KeyPoint{{X: 1, Size: 4, Angle: 30}, {X: 2, Size: 4}}
	for name, c := range map[string]struct {
		kept []gocv.KeyPoint
		want string
	}{
		"same":      {given, ""},
		"turned":    {turned, ""},
		"one lost":  {given[:1], "kept 1 of 2 keypoints"},
		"reordered": {[]gocv.KeyPoint{given[1], given[0]}, "changed keypoint 0"},
	} {
		rows, err := query{rows: []int{5, 6}, given: given}.rowsOf(c.kept)
		if c.want == "" && (err != nil || !slices.Equal(rows, []int{5, 6})) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: rows %v, error %v", name, rows, err)
		}
	}
}
