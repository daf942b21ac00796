package extract

import (
	"math"
	"strings"
	"testing"

	"gocv.io/x/gocv"
)

// TestRowsAreTakenOnlyIfTheyAreWhatSIFTPromises hands siftRows what OpenCV
// could come to give.
func TestRowsAreTakenOnlyIfTheyAreWhatSIFTPromises(t *testing.T) {
	asked := []gocv.KeyPoint{{X: 1, Size: 4}, {X: 2, Size: 4}}
	moved := []gocv.KeyPoint{asked[1], asked[0]}
	for _, c := range []struct {
		name       string
		rows, cols int
		kind       gocv.MatType
		value      float32 // of the last element
		kept       []gocv.KeyPoint
		want       string // in the error; empty for none
	}{
		{"good", 2, 128, gocv.MatTypeCV32F, 255, asked, ""},
		{"fraction", 2, 128, gocv.MatTypeCV32F, 0.5, asked, "row 1, element 127 is 0.5"},
		{"negative", 2, 128, gocv.MatTypeCV32F, -1, asked, "is -1"},
		{"too large", 2, 128, gocv.MatTypeCV32F, 256, asked, "is 256"},
		{"NaN", 2, 128, gocv.MatTypeCV32F, float32(math.NaN()), asked, "is NaN"},
		{"row lost", 1, 128, gocv.MatTypeCV32F, 0, asked, "1×128 descriptors"},
		{"other length", 2, 64, gocv.MatTypeCV32F, 0, asked, "2×64 descriptors"},
		{"other type", 2, 128, gocv.MatTypeCV64F, 0, asked, "of type CV64F"},
		{"keypoint lost", 2, 128, gocv.MatTypeCV32F, 0, asked[:1], "kept 1 of 2 keypoints"},
		{"keypoints reordered", 2, 128, gocv.MatTypeCV32F, 0, moved, "changed keypoint 0"},
	} {
		mat := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(7, 0, 0, 0), c.rows, c.cols, c.kind)
		if c.kind == gocv.MatTypeCV32F {
			mat.SetFloatAt(c.rows-1, c.cols-1, c.value)
		}
		rows, err := siftRows(mat, asked, c.kept)
		mat.Close()
		switch {
		case c.want == "" && (err != nil || len(rows) != 256 || rows[0] != 7 || rows[255] != 255):
			t.Errorf("%s: %v, error %v", c.name, rows, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
