package dataset

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/files/npz"
)

// A plane with 1/z = 0.25 + 0.002·x at column x of the first of two images of 64×48 px with a focal length of
// 40 px, the second of which is seen from 1 to the right: x goes to x - 40/z, and z stays.
func inverseDepth(x float64) float64        { return 0.25 + 0.002*x }
func toOther(x float64) float64             { return x - 40*inverseDepth(x) }
func inverseDepthOfOther(u float64) float64 { return inverseDepth((u + 10) / 0.92) }

const planeViews = "1.png 1 0 0 0 1 0 0 0 1 0 0 0 PINHOLE 64 48 40 40 31.5 23.5\n2.png 1 0 0 0 1 0 0 0 1 -1 0 0 PINHOLE 64 48 40 40 31.5 23.5\n"

func writePNG(t *testing.T, file string, img image.Image) {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, png.Encode(&b, img))
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o666))
}

// writeDepth writes depth of the given size in px, the size of the image divided by step.
func writeDepth(t *testing.T, file string, step int, inverse func(x float64) float64) {
	t.Helper()
	width, height := 64/step, 48/step
	z, gray := make([]float32, 0, width*height), image.NewGray16(image.Rect(0, 0, width, height))
	for i := range width * height {
		v := 1 / inverse(float64(i%width*step)+float64(step-1)/2) // at the centre of so many pixels
		z = append(z, float32(v))
		gray.SetGray16(i%width, i/width, color.Gray16{Y: uint16(math.Round(v / 1e-4))})
	}
	if filepath.Ext(file) == ".png" {
		writePNG(t, file, gray)
		return
	}
	header, elements := npz.Of(z, height, width).NPY()
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
	must.Do(t, os.WriteFile(file, append(header, elements...), 0o666))
}

// planeScene writes the scene p with depth in files of the given extension.
func planeScene(t *testing.T, ext string, step int) Source {
	t.Helper()
	root := t.TempDir()
	for i, inverse := range []func(float64) float64{inverseDepth, inverseDepthOfOther} {
		img := image.NewGray(image.Rect(0, 0, 64, 48))
		img.Pix[0] = uint8(i + 1)
		writePNG(t, filepath.Join(root, "p", fmt.Sprintf("%d.png", i+1)), img)
		writeDepth(t, filepath.Join(root, "p/depth", fmt.Sprintf("%d%s", i+1, ext)), step, inverse)
	}
	must.Do(t, os.WriteFile(filepath.Join(root, "p/views.txt"), []byte(planeViews), 0o666))
	must.Do(t, os.WriteFile(filepath.Join(root, "p/depth.txt"), []byte("0.0001\n"), 0o666))
	return Source{Root: root, DepthTolerance: 0.05}
}

func TestDepthOfAnySizeFollowsResizedImages(t *testing.T) {
	for _, c := range []struct {
		ext    string
		step   int
		within float64 // px
		resize *Resizing
	}{
		{ext: ".npy", step: 1, within: 1e-4},
		{ext: ".npy", step: 2, within: 1e-4},
		{ext: ".png", step: 1, within: 1e-3},
		// Twice the size, and the middle 100×80 px of it: pixel x goes to 2x + 0.5 - 14.
		{ext: ".npy", step: 2, within: 2e-4, resize: &Resizing{Size: func(w, h int) (int, int) { return 2 * w, 2 * h }, Crop: [2]int{100, 80}, Interpolation: Linear}},
		{ext: ".npy", step: 1, within: 2e-4, resize: &Resizing{Size: func(w, h int) (int, int) { return 2 * w, 2 * h }, Scaled: true, Interpolation: Linear}},
	} {
		s := must.Get(planeScene(t, c.ext, c.step).Open(context.Background(), "p", 1))(t)
		moved := func(x float64) float64 { return x }
		if c.resize != nil {
			must.Do(t, s.Resize(*c.resize))
			if moved = func(x float64) float64 { return 2 * x }; !c.resize.Scaled {
				moved = func(x float64) float64 { return 2*x + 0.5 - 14 }
			}
		}
		m := must.Get(s.Mapping(1))(t)
		visible := 0
		for x := 20.; x < 50; x += 0.7 {
			p := m.Place(moved(x), 40)
			if p.State == keypoints.Visible {
				visible++
				if math.Abs(p.X-moved(toOther(x))) > c.within {
					t.Errorf("%s of a %d-th: %v goes to %v, want %v", c.ext, c.step, moved(x), p.X, moved(toOther(x)))
				}
			}
		}
		if visible < 30 {
			t.Errorf("%+v: %d points are visible", c, visible)
		}
		if overlap := must.Get(s.Overlap(1))(t); c.resize == nil && math.Abs(overlap-0.81) > 0.03 { // columns 11 to 63, less the edge
			t.Errorf("%s: overlap %v", c.ext, overlap)
		}
	}
}

func TestAScenesDigestAndWhatIsKnownFollowItsDepth(t *testing.T) {
	src := planeScene(t, ".npy", 1)
	open := func() *Scene { return must.Get(src.Open(context.Background(), "p", 1))(t) }
	with := open()
	cache := t.TempDir()
	must.Get(with.Remember(cache))(t)
	writeDepth(t, filepath.Join(src.Root, "p/depth/2.npy"), 1, func(float64) float64 { return 0.2 })
	if known, err := open().Remembered(cache); known || err == nil || !strings.HasPrefix(err.Error(), "p/depth/2.npy: has changed") {
		t.Errorf("a changed depth: %v, %v", known, err)
	}
	if _, err := with.Mapping(1); err == nil || err.Error() != "p/depth/2.npy: changed while in use" {
		t.Errorf("in use: %v", err)
	}
	must.Do(t, os.Remove(filepath.Join(src.Root, "p/depth/2.npy")))
	without := open()
	if m := must.Get(without.Mapping(1))(t); m.KnowsPlaces() || without.Digest == with.Digest {
		t.Error("one image without depth has places")
	}
	if told := fact.Only(without.Facts, fact.MissingDepth); len(told) != 1 || len(told[0].Names["files"]) != 1 {
		t.Errorf("one image without depth: told %v", told)
	}
	if known, err := without.Remembered(cache); known && err == nil {
		t.Errorf("less depth is taken for the same: %v", err)
	}
}

func TestDepthThatCannotBeRightIsRefusedByFileAndPixel(t *testing.T) {
	npy := func(v float32, shape ...int) func(t *testing.T, file string) {
		return func(t *testing.T, file string) {
			z := make([]float32, 12)
			z[7] = v
			header, elements := npz.Of(z, shape...).NPY()
			must.Do(t, os.WriteFile(file, append(header, elements...), 0o666))
		}
	}
	text := func(s string) func(t *testing.T, file string) {
		return func(t *testing.T, file string) { must.Do(t, os.WriteFile(file, []byte(s), 0o666)) }
	}
	for _, c := range []struct {
		file  string
		write func(t *testing.T, file string)
		want  string
	}{
		{"depth/1.npy", npy(-1, 3, 4), "p/depth/1.npy: depth at pixel (3, 1) is -1, want a finite number from 0 on"},
		{"depth/1.npy", npy(float32(math.NaN()), 3, 4), "p/depth/1.npy: depth at pixel (3, 1) is NaN"},
		{"depth/1.npy", npy(float32(math.Inf(1)), 3, 4), "p/depth/1.npy: depth at pixel (3, 1) is +Inf"},
		{"depth/1.npy", npy(1, 4, 3), "p/depth/1.npy: depth of 3×4 px of an image of 64×48 px, want the same shape"},
		{"depth/1.npy", npy(1, 12), "p/depth/1.npy: element type <f4 and shape (12,), want floating-point numbers by row and column"},
		{"depth/1.npy", text("x"), "p/depth/1.npy: not a NumPy array"},
		{"depth/1.png", func(t *testing.T, file string) { writePNG(t, file, image.NewGray(image.Rect(0, 0, 4, 3))) }, "p/depth/1.png: a PNG of another kind, want 16-bit grey"},
		{"depth/1.png", text("x"), "p/depth/1.png: "},
		{"depth.txt", text("mm"), `p/depth.txt: found "mm"`},
		{"depth.txt", text("0"), `p/depth.txt: found "0", want one positive number`},
	} {
		src := planeScene(t, ".png", 1)
		if c.file == "depth/1.npy" {
			must.Do(t, os.Remove(filepath.Join(src.Root, "p/depth/1.png")))
		}
		c.write(t, filepath.Join(src.Root, "p", c.file))
		if _, err := src.Open(context.Background(), "p", 1); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
	src := planeScene(t, ".png", 1)
	writeDepth(t, filepath.Join(src.Root, "p/depth/1.npy"), 1, inverseDepth)
	if _, err := src.Open(context.Background(), "p", 1); err == nil || err.Error() != "p/depth/1.png: found 1.npy, too, want one of them" {
		t.Errorf("two files: %v", err)
	}
}
