package dataset

import (
	"context"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
)

// The camera of an image of 4×3 px at the origin, and one that is 1 to the right.
const (
	atOrigin = "1 0 0 0 1 0 0 0 1 0 0 0 PINHOLE 4 3 10 20 1.5 1"
	toRight  = "1 0 0 0 1 0 0 0 1 -1 0 0 SIMPLE_PINHOLE 4 3 10 1.5 1"
	identity = "10 0 1.5 0 20 1 0 0 1 " // K
	moved    = "1 0 0 -1 0 1 0 0 0 0 1 0 0 0 0 1"
)

// posed writes images of 4×3 px, and text files, to a new root.
func posed(t *testing.T, images []string, files map[string]string) Source {
	t.Helper()
	root := t.TempDir()
	for _, name := range images {
		writeImage(t, filepath.Join(root, name), len(name))
	}
	for name, text := range files {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o777))
		must.Do(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o666))
	}
	return Source{Root: root}
}

// writeImage writes a PGM of 4×3 px whose pixels are numbered from first on.
func writeImage(t *testing.T, path string, first int) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
	data := []byte("P5\n4 3\n255\n")
	for i := range 12 {
		data = append(data, byte(first+i))
	}
	must.Do(t, os.WriteFile(path, data, 0o666))
}

func names(refs []Ref) (out []string) {
	for _, r := range refs {
		out = append(out, r.Name)
	}
	return out
}

func TestScenesWithCamerasAreFoundAsPairsOrAsOne(t *testing.T) {
	views := fmt.Sprintf("# a comment\na.pgm %s\n\nb.pgm %s\nin/c.pgm %s\n", atOrigin, toRight, toRight)
	images := []string{"hall/a.pgm", "hall/b.pgm", "hall/in/c.pgm"}
	whole := posed(t, images, map[string]string{"hall/views.txt": views})
	found, _, err := whole.Find(nil, "all")
	if err != nil || !slices.Equal(names(found), []string{"hall"}) || !slices.Equal(found[0].Images, []string{"a.pgm", "b.pgm", "in/c.pgm"}) {
		t.Errorf("found %v, %v, want one scene of three images", found, err)
	}
	src := posed(t, images, map[string]string{"hall/views.txt": views, "hall/pairs.txt": "b.pgm a.pgm\na.pgm in/c.pgm\n"})
	found, _, err = src.Find(nil, "all")
	if err != nil || !slices.Equal(names(found), []string{"hall/a-c", "hall/b-a"}) {
		t.Errorf("found %v, %v, want hall/a-c and hall/b-a", names(found), err)
	}
	if found, _, err = src.Find([]string{"hall"}, "all"); err != nil || len(found) != 2 {
		t.Errorf("of the group: %v, %v, want both", names(found), err)
	}
	s := must.Get(src.Open(context.Background(), "hall/b-a", 1))(t)
	c, ok := s.Cameras(1)
	if want := (keypoints.Cameras{First: keypoints.Intrinsics{10, 10, 1.5, 1}, Other: keypoints.Intrinsics{10, 20, 1.5, 1}, Pose: keypoints.Pose{R: keypoints.Identity, T: [3]float64{1, 0, 0}}}); !ok || c != want {
		t.Errorf("cameras %+v, want %+v", c, want)
	}
	if got := []string{s.NameOf(0), s.NameOf(1)}; !slices.Equal(got, []string{"b.pgm", "a.pgm"}) {
		t.Errorf("other files about the images are called %v", got)
	}
	src.Corner = true
	s = must.Get(src.Open(context.Background(), "hall/b-a", 1))(t)
	if c, _ := s.Cameras(1); c.First != (keypoints.Intrinsics{10, 10, 1, 0.5}) {
		t.Errorf("from the corner: %v", c.First)
	}
	// Twice the size: an edge at −½ stays there, and the pixel at 1 goes to 2.5.
	must.Do(t, s.Resize(Resizing{Size: func(w, h int) (int, int) { return 2 * w, 2 * h }, Interpolation: Linear}))
	if c, _ := s.Cameras(1); c.First != (keypoints.Intrinsics{20, 20, 2.5, 1.5}) || c.T != [3]float64{1, 0, 0} || c.Scales != [2][2]float64{{2, 2}, {2, 2}} || c.Inverse().Inverse() != c {
		t.Errorf("resized: %+v", c)
	}
}

func TestPairListsOfBothKindsAreRead(t *testing.T) {
	const rt = "1 0 0 0 1 0 0 0 1 -1 0 0"
	images := []string{"all/p1/a.pgm", "all/p1/x/b.pgm", "all/p2/a.pgm"}
	for _, c := range []struct{ line, name string }{
		{"all/p1/a.pgm all/p1/x/b.pgm 0 0 " + identity + identity + moved, "p1/a-b"},
		{"all/p1/a.pgm all/p1/x/b.pgm " + identity + identity + moved, "p1/a-b"},
		{"all/p1/a.pgm all/p1/x/b.pgm " + identity + identity + rt + " far turned", "p1/a-b"},
	} {
		src := posed(t, images, map[string]string{"list.txt": c.line + "\nall/p2/a.pgm all/p1/a.pgm " + identity + identity + rt + "\n"})
		src.Pairs = filepath.Join(src.Root, "list.txt")
		found, _, err := src.Find(nil, "all")
		if err != nil || !slices.Equal(names(found), []string{c.name, "p2/a-a"}) {
			t.Fatalf("found %v, %v", names(found), err)
		}
		s := must.Get(src.Open(context.Background(), c.name, 1))(t)
		if at, _ := s.Cameras(1); at.T != [3]float64{-1, 0, 0} || at.First != (keypoints.Intrinsics{10, 20, 1.5, 1}) {
			t.Errorf("%s: %+v", c.line, at)
		}
		if far := strings.HasSuffix(c.line, "turned"); far != slices.Equal(s.Subsets, []string{"far", "turned"}) {
			t.Errorf("%s: subsets %v", c.line, s.Subsets)
		}
		must.Do(t, src.Gone(c.name))
	}
}

// The pixel (3, 0), at the upper right, comes to (0, 0) by a quarter turn to the left, as by
// numpy's rot90. What the camera sees there stays in the same direction in space.
func TestImagesOfAListAreTurned(t *testing.T) {
	src := posed(t, []string{"a.pgm", "bb.pgm"}, map[string]string{"list.txt": "a.pgm bb.pgm 1 2 " + identity + identity + moved})
	src.Pairs = filepath.Join(src.Root, "list.txt")
	s := must.Get(src.Open(context.Background(), "a-bb", 1))(t)
	if got := []int{s.Images[0].Width, s.Images[0].Height, s.Images[1].Width, s.Images[1].Height}; !slices.Equal(got, []int{3, 4, 4, 3}) {
		t.Errorf("sizes %v", got)
	}
	a, b := must.Get(s.Picture(0))(t), must.Get(s.Picture(1))(t)
	gray := func(p *image.RGBA, x, y int) int {
		return int(p.RGBAAt(x, y).R) - int(p.RGBAAt(p.Bounds().Dx()-1, p.Bounds().Dy()-1).R)
	}
	if got := gray(a, 0, 0); got != 3-8 { // (3, 0) minus what comes to the lower right, (0, 2)
		t.Errorf("upper left of the turned image: %d, want -5", got)
	}
	if got := gray(b, 0, 0); got != 11 {
		t.Errorf("upper left after half a turn: %d, want 11", got)
	}
	// A point in space at (0.3, 0.2, 2) in the first camera as listed: at (3, 3) there, so at (3, 0)
	// after the turn; in the second at (−0.7, 0.2, 2): at (−2, 3), so at (5, −1).
	c, _ := s.Cameras(1)
	x, y := c.First.Ray(3, 0)
	z := 2.0
	r, p := c.R, [3]float64{}
	for i := range p {
		p[i] = r[3*i]*x*z + r[3*i+1]*y*z + r[3*i+2]*z + c.T[i]
	}
	u, v := c.Other.Ray(5, -1)
	if math.Abs(p[0]/p[2]-u) > 1e-12 || math.Abs(p[1]/p[2]-v) > 1e-12 || p[2] != 2 {
		t.Errorf("the point is at %v, want the ray (%v, %v)", p, u, v)
	}
}

func TestListsOfCamerasAreRefusedByLine(t *testing.T) {
	good := "a.pgm " + atOrigin + "\n"
	replaced := func(old, by string) string { return good + "b.pgm " + strings.Replace(toRight, old, by, 1) }
	for _, c := range []struct{ views, pairs, list, want string }{
		{good + "b.pgm 1 2", "", "", "s/views.txt: line 2: found 3 fields"},
		{replaced("SIMPLE_PINHOLE", "OPENCV"), "", "", "s/views.txt: line 2: camera model OPENCV"},
		{replaced("4 3 10", "4 3 x"), "", "", `s/views.txt: line 2: found "x", want a finite`},
		{replaced("4 3 10", "4 3 nan"), "", "", `s/views.txt: line 2: found "nan", want a finite`},
		{replaced("4 3 10", "4 3"), "", "", "s/views.txt: line 2: found 4 numbers after SIMPLE_PINHOLE, want 5"},
		{replaced("4 3 10", "4 3 -10"), "", "", "s/views.txt: line 2: focal lengths of -10"},
		{replaced("1 0 0", "2 0 0"), "", "", "s/views.txt: line 2: matrix R is not a rotation"},
		{replaced("4 3", "5 3"), "", "", "s/views.txt: line 2: an image of 5×3 px, but s/b.pgm has 4×3"},
		{replaced("-1 0 0", "0 0 0"), "", "", "s/b.pgm: has its camera at the place of that of s/a.pgm"},
		{good + good, "", "", "s/views.txt: line 2: image"},
		{good, "", "", "s/views.txt: lists 1 images, want 2 to"},
		{good + "../b.pgm " + toRight, "", "", "s/views.txt: line 2: image"},
		{good + "c.pgm " + toRight, "", "", "s: missing s/c.pgm"},
		{good + "b.pgm " + toRight, "a.pgm c.pgm", "", "s/pairs.txt: line 1: c.pgm is not in views.txt"},
		{good + "b.pgm " + toRight, "a.pgm a.pgm", "", "s/pairs.txt: line 1: image a.pgm is paired with itself"},
		{good + "b.pgm " + toRight, "a.pgm b.pgm near 1/2", "", `s/pairs.txt: line 1: found "1/2" after the pair, want names of subsets`},
		{good + "b.pgm " + toRight, "a.pgm b.pgm 108", "", `s/pairs.txt: line 1: found "108" after the pair, want`},
		{good + "b.pgm " + toRight, "a.pgm", "", "s/pairs.txt: line 1: found one name, want two"},
		{good + "b.pgm " + toRight, "a.pgm b.pgm\na.pgm b.pgm", "", "s/pairs.txt: line 2: the pair s/a-b is listed twice"},
		{"", "", "s/a.pgm s/b.pgm 0 0", "list.txt: line 1: found 4 fields, want 38"},
		{"", "", "s/a.pgm s/a.pgm " + identity + identity + moved, "list.txt: line 1: image s/a.pgm is paired with itself"},
		{"", "", "s/a.pgm s/b.pgm 4 0 " + identity + identity + moved, "list.txt: line 1: rotation 4"},
		{"", "", "s/a.pgm s/b.pgm " + identity + "10 1 1.5 0 20 1 0 0 1 " + moved, "list.txt: line 1: matrix K1 is [10 1"},
		{"", "", "s/a.pgm s/b.pgm " + identity + identity + "1 0 0 0 0 1 0 0 0 0 1 0 1 0 0 1", "list.txt: line 1: the last row"},
		{"", "", "s/a.pgm ../b.pgm " + identity + identity + moved, "list.txt: line 1: image ../b.pgm"},
		{"", "", "# nothing", "list.txt: lists no pairs"},
	} {
		files := map[string]string{"s/views.txt": c.views, "s/pairs.txt": c.pairs, "list.txt": c.list}
		for name, text := range files {
			if text == "" {
				delete(files, name)
			}
		}
		src := posed(t, []string{"s/a.pgm", "s/b.pgm"}, files)
		if c.list != "" {
			src.Pairs = filepath.Join(src.Root, "list.txt")
		}
		found, _, err := src.Find(nil, "all")
		if err == nil {
			if err = found[0].Fault; err == nil {
				_, err = src.Open(context.Background(), found[0].Name, 1)
			}
		}
		if err == nil || !strings.HasPrefix(strings.TrimPrefix(err.Error(), src.Root+"/"), c.want) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}
