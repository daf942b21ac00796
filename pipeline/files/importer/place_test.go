package importer_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/files/npz"
)

// positions writes keypoints at x, y, x, y..., described by their row, and
// returns the file's path.
func positions(t *testing.T, xy ...float32) string {
	n := len(xy) / 2
	rows := make([]float32, n)
	for i := range rows {
		rows[i] = float32(i + 1)
	}
	return archive(t,
		npz.Of(xy, n, 2).Member("keypoints"), npz.Of(rows, n, 1).Member("descriptors"))
}

func TestACornerOriginIsHalfAPixelFromTheFirstPixelsCentre(t *testing.T) {
	o := options(descriptors.Float32)
	o.Origin = importer.Corner
	f := mustRead(t, positions(t, 0.5, 0.5, 100.25, 30, 0, 0, 640, 480), o)
	if want := []keypoints.Keypoint{at(0, 0), at(99.75, 29.5), at(-0.5, -0.5), at(639.5, 479.5)}; !slices.Equal(f.Keypoints.Keypoints, want) {
		t.Errorf("%+v, want %+v", f.Keypoints.Keypoints, want)
	}
}

func TestKeypointsMoreThanAPixelOutsideTheImageAreRefused(t *testing.T) {
	for _, c := range []struct {
		origin importer.Origin
		good   []float32
		bad    []float32
	}{
		{importer.Center, []float32{0, 0, -0.5, 10, 639.5, 479.5, -1.5, 10, 320, 480.5}, []float32{-1.6, 10, 10, -1.6, 640.6, 10, 10, 480.6, -1e30, 3, 3, 1e30}},
		{importer.Corner, []float32{0.5, 0.5, 0, 10, 640, 480, 641, -1}, []float32{-1.1, 10, 10, -1.1, 641.1, 10, 10, 481.1}},
	} {
		o := options(descriptors.Float32)
		o.Origin = c.origin
		if f := mustRead(t, positions(t, c.good...), o); f.Keypoints.Len() != len(c.good)/2 {
			t.Errorf("%s: %d of %d read", c.origin, f.Keypoints.Len(), len(c.good)/2)
		}
		for i := 0; i < len(c.bad); i += 2 {
			mixed := slices.Concat(c.good[:4], c.bad[i:i+2], c.good[:2], c.bad[i:i+2])
			path := positions(t, mixed...)
			_, err := importer.Read(path, 640, 480, o)
			if err == nil || !strings.Contains(err.Error(), "row 2 is at (") || !strings.Contains(err.Error(), "want a position inside the image of 640×480 px (pixel centres at integers); 2 of 5 rows are outside") {
				t.Errorf("%s: (%v, %v): error %v", c.origin, c.bad[i], c.bad[i+1], err)
			}
		}
	}
}

func TestAnglesInRadiansAreToldFromSmallOnesInDegrees(t *testing.T) {
	for _, c := range []struct {
		step   float32 // between angles
		none   int     // keypoints without angle
		radian bool
	}{
		{math.Pi / 10, 0, true},   // 0 to 1.9π
		{math.Pi / 20, 0, false},  // at most 0.95π
		{math.Pi / 10, 1, false},  // too few angles to say
		{18, 0, false},            // 0 to 342°
		{math.Pi / 9.4, 0, false}, // the largest is above 2π
	} {
		points := make([]keypoints.Keypoint, 20)
		for i := range points {
			points[i] = keypoints.Keypoint{X: 50, Y: 50, Angle: c.step * float32(i)}
		}
		for i := range c.none {
			points[i].Angle = keypoints.NoAngle
		}
		if _, err := importer.Place(points, nil, 100, 100, importer.Options{Origin: importer.Center}); (err != nil) != c.radian || err != nil && !strings.Contains(err.Error(), "are they in radians? want degrees") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestWrongPositionsAreToldTheirLikelyCause(t *testing.T) {
	for _, c := range []struct {
		origin importer.Origin
		xy     []float32
		want   string // "": no error
	}{
		{importer.Center, slices.Repeat([]float32{0.1, 0.2, 0.99, 1}, 4), "all 8 positions are within 2 px of (0, 0): are they normalised to 0 to 1, or to -1 to 1? want px"},
		{importer.Center, slices.Repeat([]float32{-0.9, 0.2, 0.99, -1}, 4), "are they normalised"},
		{importer.Corner, slices.Repeat([]float32{0.1, 0.2, 0.99, 1}, 4), "are they normalised"},
		{importer.Center, []float32{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, ""}, // a few may be in a corner
		{importer.Center, append(slices.Repeat([]float32{0.1, 0.2, 0.99, 1}, 4), 99, 1), ""},
		{importer.Center, []float32{10, 600, 20, 30, 470, 500}, "all are inside with x and y swapped"},
		{importer.Center, append(slices.Repeat([]float32{20, 30}, 9), 10, 600), "want x, the column, first; or do the files belong to another scene?"},
		{importer.Center, []float32{10, 600, 500, 30, 470, 500}, "2 of 3 rows are outside"}, // x and y of (500, 30) are right
		{importer.Center, []float32{641, 10, 20, 481}, "2 of 2 rows are outside"},
	} {
		o := options(descriptors.Float32)
		o.Origin = c.origin
		_, err := importer.Read(positions(t, c.xy...), 640, 480, o)
		if c.want == "" && err == nil {
			continue
		}
		if err == nil || c.want == "" || !strings.Contains(err.Error(), c.want) || strings.HasSuffix(c.want, "outside") && !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s, %v: error %v, want %q", c.origin, c.xy, err, c.want)
		}
	}
}

// An image of 640×480 px is halved, and 20 columns and 8 rows are cut off on either side.
func TestPositionsInTheStoredImageAreMovedToTheResizedOne(t *testing.T) {
	o := options(descriptors.Float32)
	o.Stored, o.Resized = [2]int{640, 480}, []float64{0.5, 0.5, 20, 8}
	for _, c := range []struct {
		size []float32
		x, y float32 // of a keypoint at (101, 61), of 12 px
		px   float32
		want string // an error
	}{
		{nil, 101, 61, 12, ""},
		{[]float32{280, 224}, 101, 61, 12, ""},
		{[]float32{640, 480}, 30.25, 22.25, 6, ""}, // (101 + 0.5) / 2 - 0.5 - 20, (61 + 0.5) / 2 - 0.5 - 8
		{[]float32{480, 640}, 0, 0, 0, "image_size is [480 640], want [280 224], the width and the height of the image"},
		{[]float32{float32(math.NaN()), 480}, 0, 0, 0, "image_size is [NaN 480], want"},
		{[]float32{640, 480, 3}, 0, 0, 0, "image_size is [640 480 3], want"},
	} {
		members := []npz.Member{npz.Of([]float32{101, 61, 12}, 1, 3).Member("keypoints"), npz.Of([]float32{1}, 1, 1).Member("descriptors")}
		if c.size != nil {
			members = append(members, npz.Of(c.size, len(c.size)).Member("image_size"))
		}
		f, err := importer.Read(archive(t, members...), 280, 224, o)
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
	o.Origin = importer.Corner                                                    // of the stored image: 101 px from it are 50.5 px in the halved one
	points := []keypoints.Keypoint{{X: 101, Y: 61, Size: 12.8, Octave: 3<<8 | 1}} // layer 3 of octave 1 of OpenCV's SIFT: 3.2·2^(1 + 3/3) px
	_, err := importer.Place(points, []float64{640, 480}, 280, 224, o)
	must.Do(t, err)
	if want := (keypoints.Keypoint{X: 30, Y: 22, Size: 6.4, Octave: 3<<8 | 128<<16}); points[0] != want {
		t.Errorf("from the corner: %+v, want %+v", points[0], want)
	}
	o.Origin, o.Placed = importer.Center, true // as HDF5 files: rows 0 to 239 of the halved image are kept from 8 to 231
	for y, good := range map[float32]bool{-9.5: true, -9.6: false, 232.5: true, 232.6: false} {
		if _, err := importer.Place([]keypoints.Keypoint{{X: 10, Y: y}}, nil, 280, 224, o); (err == nil) != good {
			t.Errorf("placed at y = %v: %v", y, err)
		}
	}
	if _, err := importer.Read(filepath.Join("testdata", "int64.npz"), 320, 240, options(descriptors.Float32)); err == nil || !strings.Contains(err.Error(), "image_size is [640 480], want [320 240]") {
		t.Errorf("an image of another size: error %v", err)
	}
}
