package importer_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/descriptors/importer"
	"descbench/files/npz"
	"descbench/keypoints"
)

// An image of 640×480 px is halved, and 20 columns are cut off on either side.
func TestPositionsInTheStoredImageAreMovedToTheResizedOne(t *testing.T) {
	o := options(descriptors.Float32)
	o.Stored, o.Resized = [2]int{640, 480}, []float64{0.5, 0.5, 20, 0}
	for _, c := range []struct {
		size []float32
		x, y float32 // of a keypoint at (101, 61), of 12 px
		px   float32
		want string // an error
	}{
		{nil, 101, 61, 12, ""},
		{[]float32{280, 240}, 101, 61, 12, ""},
		{[]float32{640, 480}, 30.25, 30.25, 6, ""}, // (101 + 0.5) / 2 - 0.5 - 20
		{[]float32{480, 640}, 0, 0, 0, "image_size is [480 640], want [280 240], the width and the height of the image"},
		{[]float32{float32(math.NaN()), 480}, 0, 0, 0, "image_size is [NaN 480], want"},
		{[]float32{640, 480, 3}, 0, 0, 0, "image_size is [640 480 3], want"},
	} {
		members := []npz.Member{npz.Of([]float32{101, 61, 12}, 1, 3).Member("keypoints"), npz.Of([]float32{1}, 1, 1).Member("descriptors")}
		if c.size != nil {
			members = append(members, npz.Of(c.size, len(c.size)).Member("image_size"))
		}
		f, err := importer.Read(archive(t, members...), 280, 240, o)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: error %v, want %q", c.size, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%v: %v", c.size, err)
		}
		if k := f.Keypoints.Keypoints[0]; k.X != c.x || k.Y != c.y || k.Size != c.px {
			t.Errorf("%v: %+v, want (%v, %v) of %v px", c.size, k, c.x, c.y, c.px)
		}
	}
	o.Origin = importer.Corner // of the stored image: 101 px from it are 50.5 px in the halved one
	points := []keypoints.Keypoint{{X: 101, Y: 61}}
	if _, err := importer.Place(points, []float64{640, 480}, 280, 240, o); err != nil || points[0].X != 30 || points[0].Y != 30 {
		t.Errorf("from the corner: %+v, want (30, 30); %v", points[0], err)
	}
	if _, err := importer.Read(filepath.Join("testdata", "int64.npz"), 320, 240, options(descriptors.Float32)); err == nil || !strings.Contains(err.Error(), "image_size is [640 480], want [320 240]") {
		t.Errorf("an image of another size: error %v", err)
	}
}
