package fit

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/draw"

	"descbench/eval/must"
	"descbench/pipeline/dataset"
)

func TestVerdictsComparePredictedAndEstimatedSupport(t *testing.T) {
	for _, c := range []struct {
		fitting, inliers, own int
		want                  Verdict
	}{
		{500, 510, 2, Fits},
		{500, 0, 500, Fits}, // no estimate, but no chance either
		{5, 6, 0, Fits},
		{4, 6, 0, Undecided},
		{0, 19, 0, Undecided},
		{0, 20, 0, Differs},
		{100, 300, 4, Differs},    // the homography is not exact: it fits where it maps as the estimate does
		{100, 300, 90, Undecided}, // most of the scene is on another plane
		{140, 1000, 110, Undecided},
		{3, 1000, 3, Differs}, // by chance
		{150, 300, 4, Fits},
		{0, 0, 0, Undecided},
	} {
		if got := judge(c.fitting, c.inliers, c.own); got != c.want {
			t.Errorf("%d of %d, %d on their own: found %s, want %s", c.fitting, c.inliers, c.own, got, c.want)
		}
	}
}

// sceneWith returns a synthetic scene in which one homography is replaced.
func sceneWith(t *testing.T, name, file, text string) *dataset.Scene {
	t.Helper()
	root := t.TempDir()
	must.Do(t, os.CopyFS(filepath.Join(root, name), os.DirFS(filepath.Join("../../../testdata/scenes", name))))
	if text != "" {
		must.Do(t, os.WriteFile(filepath.Join(root, name, file), []byte(text), 0o666))
	}
	return must.Get((dataset.Source{Root: root}).Open(t.Context(), name, 1))(t)
}

func TestAnImageOfHalfTheSizeIsNamed(t *testing.T) {
	s := sceneWith(t, "v_synth_001", "", "")
	file := filepath.Join(s.Dir, "3.png")
	img := must.Get(s.Picture(2))(t)
	half := image.NewRGBA(image.Rect(0, 0, s.Images[2].Width/2, s.Images[2].Height/2))
	draw.BiLinear.Scale(half, half.Bounds(), img, img.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	must.Do(t, png.Encode(&b, half))
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o666))
	s = must.Get(dataset.Source{Root: s.Root}.Open(t.Context(), s.Name, 1))(t)
	for _, p := range must.Get(Scene(t.Context(), s))(t) {
		if half := p.K == 3; half != (p.Instead == "H_1_3 at half the size") || half != (p.Verdict == Differs) {
			t.Errorf("%+v", p)
		}
	}
}

func TestAWrongHomographyIsFoundAndNoOther(t *testing.T) {
	const identity = "1 0 0\n0 1 0\n0 0 1\n"
	const inverted = "0.837422370858 -0.168839372404 127.949871305\n0.217525529008 1.07263129558 -45.1209081513\n-0.000193701046831 0.000528107009366 1\n" // of H_1_3, by numpy
	for _, c := range []struct {
		scene, text string
		wrong       int // k
	}{
		{"v_synth_001", "", 0},
		{"v_synth_001", identity, 5},
		{"v_synth_001", inverted, 3},
		{"i_synth_001", "1 0 8\n0 1 0\n0 0 1\n", 5},
	} {
		pairs, err := Scene(t.Context(), sceneWith(t, c.scene, fmt.Sprintf("H_1_%d", c.wrong), c.text))
		if err != nil || len(pairs) != 5 {
			t.Fatalf("%d pairs, %v", len(pairs), err)
		}
		for _, p := range pairs {
			want := Fits
			if p.K == c.wrong {
				want = Differs
			}
			if (p.Instead == Inverse) != (p.K == c.wrong && c.text == inverted) {
				t.Errorf("%s, %q: %+v, inverted?", c.scene, c.text, p)
			}
			if p.Verdict != want || p.CornerError == nil || (want == Fits) != (*p.CornerError < 2) {
				t.Errorf("%s, %q: %+v, want %q", c.scene, c.text, p, want)
			}
		}
		// The corners move by 8 px, to within the accuracy of the estimate.
		if c.scene == "i_synth_001" && (*pairs[3].CornerError < 7.5 || *pairs[3].CornerError > 8.5) {
			t.Errorf("corner error %v, want about 8", *pairs[3].CornerError)
		}
	}
}
