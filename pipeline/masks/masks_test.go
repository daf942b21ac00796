package masks

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, dir string, width, height int, white ...image.Point) {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, width, height))
	for _, p := range white {
		img.SetGray(p.X, p.Y, color.Gray{Y: 1})
	}
	if err := os.MkdirAll(filepath.Join(dir, "v_x"), 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "v_x", "2.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}

func TestAMaskKeepsWhatIsNotBlack(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, 4, 3, image.Pt(0, 0), image.Pt(3, 2))
	f := Open(dir)
	m, err := f.Of("v_x", 2, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	for _, x := range []struct {
		x, y float32
		want bool
	}{{0, 0, true}, {0.4, -0.4, true}, {0.6, 0, false}, {3, 2, true}, {3.4, 2.4, true}, {3.6, 2, false}, {-1, 0, false}, {nan, 0, false}, {1, 1, false}} {
		if got := m.Keeps(x.x, x.y); got != x.want {
			t.Errorf("(%v, %v): got %v, want %v", x.x, x.y, got, x.want)
		}
	}
	if err := f.Check(); err != nil {
		t.Error(err)
	}
}

func TestMissingAndUnfittingMasks(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, 4, 3)
	f := Open(dir)
	if m, err := f.Of("v_x", 1, 4, 3); m != nil || err != nil || !m.Keeps(-7, 100) {
		t.Errorf("no mask: got %v, %v", m, err)
	}
	if err := f.Check(); err == nil || !strings.Contains(err.Error(), "no mask of any image") {
		t.Errorf("got %v", err)
	}
	if _, err := f.Of("v_x", 2, 40, 30); err == nil || !strings.Contains(err.Error(), "mask of 4 x 3 px, want the size of the image, 40 x 30 px") {
		t.Errorf("got %v", err)
	}
	var none *Folder
	if m, err := none.Of("v_x", 1, 4, 3); m != nil || err != nil || none.Check() != nil {
		t.Errorf("no folder: got %v, %v", m, err)
	}
}
