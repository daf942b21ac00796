package dataset_test

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/dataset"
)

var scenes = filepath.Join("..", "..", "testdata", "scenes")

func opened(t *testing.T, maxMegapixels int) *dataset.Scene {
	t.Helper()
	return must.Get(dataset.Source{Root: scenes}.Open(context.Background(), "v_synth_001", maxMegapixels))(t)
}

// A point of image 1 and its projection stay a pair when both images are resized: the
// edges of an image stay its edges, or pixel (0, 0) stays where it is. A crop of an image
// of 320×160 px moves both.
func TestResizedHomographiesMapResizedPoints(t *testing.T) {
	as, digests := opened(t, 40), make(map[string]string)
	for name, c := range map[string]struct {
		resizing      dataset.Resizing
		centre        float64 // of pixel (0, 0), from the corner of the image
		left, top     float64
		width, height int
	}{
		"edges":                  {dataset.Resizing{Interpolation: dataset.Auto}, 0.5, 0, 0, 320, 160},
		"linear":                 {dataset.Resizing{Interpolation: dataset.Linear}, 0.5, 0, 0, 320, 160},
		"scaled":                 {dataset.Resizing{Interpolation: dataset.Auto, Scaled: true}, 0, 0, 0, 320, 160},
		"cropped":                {dataset.Resizing{Interpolation: dataset.Auto, Crop: [2]int{200, 101}}, 0.5, 60, 29, 200, 101},
		"scaled, height cropped": {dataset.Resizing{Interpolation: dataset.Auto, Crop: [2]int{400, 100}, Scaled: true}, 0, 0, 30, 320, 100},
	} {
		small := opened(t, 40)
		c.resizing.Size = func(w, h int) (int, int) { return w / 2, h / 3 }
		must.Do(t, small.Resize(c.resizing))
		resized := func(x, y float64) (float64, float64) {
			return (x+c.centre)/2 - c.centre - c.left, (y+c.centre)/3 - c.centre - c.top
		}
		for i := range as.Images {
			a, b := as.Images[i], small.Images[i]
			if a.Width != 640 || a.Height != 480 || b.Width != c.width || b.Height != c.height || b.Digest == a.Digest {
				t.Errorf("%s: image %d: %+v of %+v", name, i+1, b, a)
			}
			for _, p := range [][2]float64{{0, 0}, {100, 30}, {333, 222}} {
				wantU, wantV := resized(as.Homography(i).Apply(p[0], p[1]))
				x, y := resized(p[0], p[1])
				if u, v := small.Homography(i).Apply(x, y); math.Hypot(u-wantU, v-wantV) > 1e-9 {
					t.Errorf("%s: image %d: %v to (%v, %v), want (%v, %v)", name, i+1, p, u, v, wantU, wantV)
				}
			}
		}
		if other := digests[small.Digest]; other != "" || small.Digest == as.Digest {
			t.Errorf("%s has the digest of another scene %s", name, other)
		}
		digests[small.Digest] = name
		picture := must.Get(small.Picture(2))(t)
		if b := picture.Bounds(); b.Dx() != c.width || b.Dy() != c.height {
			t.Errorf("%s: %v, want %d×%d", name, b, c.width, c.height)
		}
	}
}

func TestTheLimitOfMegapixelsHoldsForResizedImages(t *testing.T) {
	to := func(width int) error {
		return opened(t, 1).Resize(dataset.Resizing{Interpolation: dataset.Auto, Size: func(int, int) (int, int) { return width, 1000 }})
	}
	if err := to(1000); err != nil {
		t.Error(err)
	}
	if err := to(1001); err == nil || !strings.HasSuffix(err.Error(), "1.png: resized to 1001×1000, more than dataset.max_megapixels, 1") {
		t.Error(err)
	}
}
