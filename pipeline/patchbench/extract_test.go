package patchbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/keypointsets"
	"descbench/pipeline/plan/plantest"
)

const cutKeypoints = `
experiment: {name: cut}
dataset: {root: ROOT, scenes: [i_synth_001, v_synth_001]}
keypoint_sets: [{name: sift, detect: {type: sift}, border: 0, min_size: 4}]
descriptors: [{name: a, type: sift, keypoints: sift}]
`

// cut extracts with a cache of its own for every test.
func cut(ctx context.Context, t *testing.T, x Extraction, progress func(int, int)) ([]ExtractedSequence, error) {
	return Extract(ctx, x, plantest.Options(t.TempDir()), progress)
}

func extraction(t *testing.T) Extraction {
	t.Helper()
	dir := t.TempDir()
	return Extraction{
		Cut: Cut{Side: 5, Overlap: 0.5, Limit: 80, Seed: 1},
		Of:  []keypointsets.Source{{Config: configtest.Load(t, dir, cutKeypoints), Name: "sift"}}, Out: filepath.Join(dir, "strips"),
	}
}

func TestAnExtractionThatIsStoppedLeavesWholeSequences(t *testing.T) {
	x := extraction(t)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	_, err := cut(ctx, t, x, func(int, int) { stop() })
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that it was stopped", err)
	}
	left, err := filepath.Glob(filepath.Join(x.Out, "*", "ref.png"))
	if err != nil || len(left) != 1 || filepath.Base(filepath.Dir(left[0])) != "i_synth_001" {
		t.Fatalf("left are %v (%v), want the first scene alone", left, err)
	}
	if temporary, err := filepath.Glob(filepath.Join(x.Out, ".*")); err != nil || len(temporary) > 0 {
		t.Errorf("left are %v (%v)", temporary, err)
	}
	files, err := os.ReadDir(filepath.Dir(left[0]))
	if err != nil || len(files) != 16*2+5+2 {
		t.Errorf("%d files (%v), want 16 strips, as many frames, 5 homographies, keypoints and a record", len(files), err)
	}

	// What is there is kept, and the same call makes the rest.
	before := must.Get(os.Stat(left[0]))(t)
	resumed := must.Get(cut(context.Background(), t, x, func(int, int) {}))(t)
	if after, err := os.Stat(left[0]); err != nil || !os.SameFile(before, after) {
		t.Errorf("the first scene was cut again (%v)", err)
	}
	again := x
	again.Out = filepath.Join(t.TempDir(), "again")
	whole, err := cut(context.Background(), t, again, func(int, int) {})
	if err != nil || !slices.Equal(resumed, whole) {
		t.Errorf("counted %v, %v; want %v", resumed, err, whole)
	}
	for _, file := range []string{"extraction.json", "v_synth_001/t5.png"} {
		a, errA := os.ReadFile(filepath.Join(x.Out, file))
		b, errB := os.ReadFile(filepath.Join(again.Out, file))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs from that of an undisturbed call (%v, %v)", file, errA, errB)
		}
	}
}

func TestPatchesShowTheirFramesInTheImageOfTheirNumber(t *testing.T) {
	x := extraction(t)
	must.Get(cut(context.Background(), t, x, func(int, int) {}))(t)
	for _, scene := range []string{"i_synth_001", "v_synth_001"} {
		for k := 1; k <= 5; k++ {
			img := decoded(t, filepath.Join(x.Of[0].Config.Dataset.Root, scene, fmt.Sprintf("%d.png", k+1)))
			h := frames(t, filepath.Join(x.Out, scene, fmt.Sprintf("H_ref_%d", k)))
			for _, letter := range []string{"e", "h", "t"} {
				name := filepath.Join(x.Out, scene, fmt.Sprintf("%s%d", letter, k))
				strip := decoded(t, name+".png")
				inImage, inReference := frames(t, name+".frames"), frames(t, filepath.Join(x.Out, scene, "ref.frames"))
				differ, moved := 0.0, 0.0
				for i, f := range inImage {
					differ += math.Abs(luma(strip, 32, 65*i+32) - bilinear(img, f[0], f[1]))
					r := inReference[i]
					w := h[2][0]*r[0] + h[2][1]*r[1] + h[2][2]
					dx := f[0] - (h[0][0]*r[0]+h[0][1]*r[1]+h[0][2])/w
					dy := f[1] - (h[1][0]*r[0]+h[1][1]*r[1]+h[1][2])/w
					moved += math.Hypot(dx, dy) / math.Sqrt(math.Abs(f[2]*f[5]-f[3]*f[4]))
				}
				n := float64(len(inImage))
				if n == 0 || differ/n > 4 {
					t.Errorf("%s: the middles of %v patches differ by %.1f on average, want at most 4", name, n, differ/n)
				}
				// Uniform in a disc: 2/3 of its radius on average.
				want := 2.0 / 3 * map[string]float64{"e": 0.138, "h": 0.280, "t": 0.367}[letter]
				if math.Abs(moved/n-want) > 0.25*want {
					t.Errorf("%s: centres are moved by %.3f half sides on average, want about %.3f", name, moved/n, want)
				}
			}
		}
	}
}

// frames reads lines of numbers.
func frames(t *testing.T, path string) [][]float64 {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	var rows [][]float64
	for _, line := range strings.Fields(string(text)) {
		var row []float64
		for _, field := range strings.Split(line, ",") {
			var v float64
			must.Get(fmt.Sscan(field, &v))(t)
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return rows
}

func decoded(t *testing.T, path string) image.Image {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	return must.Get(png.Decode(f))(t)
}

func luma(img image.Image, x, y int) float64 {
	r, g, b, _ := img.At(x, y).RGBA()
	return (0.299*float64(r) + 0.587*float64(g) + 0.114*float64(b)) / 257
}

func bilinear(img image.Image, x, y float64) float64 {
	left, top := int(x), int(y)
	fx, fy := x-float64(left), y-float64(top)
	return (1-fy)*((1-fx)*luma(img, left, top)+fx*luma(img, left+1, top)) +
		fy*((1-fx)*luma(img, left, top+1)+fx*luma(img, left+1, top+1))
}
