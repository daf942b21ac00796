package dataset

import (
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
	"descbench/eval/patches"
	"descbench/eval/patches/goldentest"
)

func writeStrip(t *testing.T, height int, at func(x, y int) color.Color) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, patches.PatchSide, height))
	for y := range height {
		for x := range patches.PatchSide {
			img.Set(x, y, at(x, y))
		}
	}
	path := filepath.Join(t.TempDir(), "strip.png")
	f := must.Get(os.Create(path))(t)
	defer f.Close()
	must.Do(t, png.Encode(f, img))
	return path
}

// A patch's margin repeats its own edge, whatever lies above and below it.
func TestAPatchIsCutFromItsStripWithAMarginOfItsOwn(t *testing.T) {
	at := func(x, y int) color.Color { return color.RGBA{uint8(x), uint8(y), uint8(x + y/65), 255} }
	s := must.Get(ReadStrip(writeStrip(t, 3*65, at)))(t)
	defer s.Close()
	if s.Len() != 3 {
		t.Fatalf("%d patches", s.Len())
	}
	for i := range 3 {
		for _, margin := range []int{0, 20} {
			img := must.Get(s.Patch(i, margin))(t)
			m := img.BGR
			if m.Rows() != 65+2*margin || m.Cols() != 65+2*margin {
				t.Fatalf("%d×%d px", m.Cols(), m.Rows())
			}
			for y := range m.Rows() {
				for x := range m.Cols() {
					px, py := min(max(x-margin, 0), 64), min(max(y-margin, 0), 64)
					r, g, b, _ := at(px, py+65*i).RGBA()
					got := m.GetVecbAt(y, x)
					if got[2] != uint8(r>>8) || got[1] != uint8(g>>8) || got[0] != uint8(b>>8) {
						t.Fatalf("patch %d, margin %d: (%d, %d) is %v", i, margin, x, y, got)
					}
				}
			}
			img.Close()
		}
	}
}

func TestAStripOfAnotherShapeIsRefused(t *testing.T) {
	white := func(int, int) color.Color { return color.White }
	_, err := ReadStrip(writeStrip(t, 66, white))
	must.FailAbout(t, err, "65×66 px, want a width of 65")
	if _, err := ReadStrip(filepath.Join(t.TempDir(), "none.png")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// The figures were made by another program.
func TestStripsHaveThePixelsThatOthersFindInThem(t *testing.T) {
	folder := goldentest.Folder(t, "../../..")
	text := must.Get(os.ReadFile(filepath.Join(folder, "expected_strips.json")))(t)
	var expected map[string]struct {
		Patches int       `json:"patches"`
		Sum     []int     `json:"sum"`
		Mean    []float64 `json:"mean"`
		Corner  []int     `json:"pixel_row0_col64"`
		Other   []int     `json:"pixel_row64_col0"`
	}
	must.Do(t, json.Unmarshal(text, &expected))
	if len(expected) == 0 {
		t.Fatal("no strips in the golden data")
	}
	for name, want := range expected {
		s := must.Get(ReadStrip(filepath.Join(folder, "small", "strips", filepath.FromSlash(name)+".png")))(t)
		if s.Len() != want.Patches {
			t.Errorf("%s: %d patches, want %d", name, s.Len(), want.Patches)
		}
		for i := range s.Len() {
			img := must.Get(s.Patch(i, 0))(t)
			m := img.BGR
			sum := 0
			for y := range 65 {
				for x := range 65 {
					sum += int(m.GetVecbAt(y, x)[0])
				}
			}
			if sum != want.Sum[i] || math.Abs(float64(sum)/(65*65)-want.Mean[i]) > 1e-9 ||
				int(m.GetVecbAt(0, 64)[0]) != want.Corner[i] || int(m.GetVecbAt(64, 0)[0]) != want.Other[i] {
				t.Errorf("%s: patch %d: sum %d, want %d", name, i, sum, want.Sum[i])
			}
			img.Close()
		}
		s.Close()
	}
}

// Of two equal halves of values a and b the deviation is |a-b|/2; 65² is odd,
// so that the halves differ by one pixel.
func TestTheDeviationOfAPatchIsThatOfItsGrey(t *testing.T) {
	const area = patches.PatchSide * patches.PatchSide
	s, err := ReadStrip(writeStrip(t, 3*patches.PatchSide, func(x, y int) color.Color {
		v := uint8(80) // the first is flat
		if i := y*patches.PatchSide + x; i%area < area/2 {
			v += uint8(20 * (i / area))
		}
		return color.RGBA{v, v, v, 255}
	}))
	must.Do(t, err)
	defer s.Close()
	got := s.Deviations()
	if len(got) != 3 {
		t.Fatalf("%v, want three", got)
	}
	for i, want := range []float64{0, 10, 20} {
		if math.Abs(got[i]-want) > 1e-5 {
			t.Errorf("patch %d deviates by %v, want %v", i, got[i], want)
		}
	}
}
