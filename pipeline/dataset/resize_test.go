package dataset_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"descbench/pipeline/dataset"
)

// A point of image 1 and its projection stay a pair when both images are resized: the
// edges of an image stay its edges.
func TestResizedHomographiesMapResizedPoints(t *testing.T) {
	root := filepath.Join("..", "..", "testdata", "scenes")
	const name = "v_synth_001"
	as, err := dataset.Open(context.Background(), root, name, 40)
	if err != nil {
		t.Fatal(err)
	}
	half, err := dataset.Open(context.Background(), root, name, 40)
	if err != nil {
		t.Fatal(err)
	}
	if err := half.Resize(dataset.Resizing{Interpolation: dataset.Auto, Size: func(w, h int) (int, int) { return w / 2, h / 3 }}); err != nil {
		t.Fatal(err)
	}
	for i := range as.Images {
		a, b := as.Images[i], half.Images[i]
		if b.Width != a.Width/2 || b.Height != a.Height/3 || b.Digest == a.Digest {
			t.Errorf("image %d: %+v of %+v", i+1, b, a)
		}
		scale := func(i int, x, y float64) (float64, float64) {
			sx := float64(half.Images[i].Width) / float64(as.Images[i].Width)
			sy := float64(half.Images[i].Height) / float64(as.Images[i].Height)
			return (x+0.5)*sx - 0.5, (y+0.5)*sy - 0.5
		}
		for _, p := range [][2]float64{{0, 0}, {100, 30}, {333, 222}} {
			u, v := as.Homographies[i].Apply(p[0], p[1])
			wantU, wantV := scale(i, u, v)
			x, y := scale(0, p[0], p[1])
			if u, v = half.Homographies[i].Apply(x, y); math.Hypot(u-wantU, v-wantV) > 1e-9 {
				t.Errorf("image %d: %v to (%v, %v), want (%v, %v)", i+1, p, u, v, wantU, wantV)
			}
		}
	}
	if half.Digest == as.Digest {
		t.Error("the resized scene has the digest of the other one")
	}
	picture, err := half.Picture(2)
	if err != nil {
		t.Fatal(err)
	}
	if b := picture.Bounds(); b.Dx() != half.Images[2].Width || b.Dy() != half.Images[2].Height {
		t.Errorf("%v, want %d×%d", b, half.Images[2].Width, half.Images[2].Height)
	}
}
