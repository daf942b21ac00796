package fit

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/dataset"
)

// The scenes are rendered, and their cameras and depth written wrongly, by scripts that share no code with the
// program.
func TestCamerasWrittenWronglyAreFoundAndNamed(t *testing.T) {
	python := os.Getenv("DESCBENCH_TEST_PYTHON")
	if python == "" {
		if python = "python3"; exec.Command(python, "-c", "import cv2, numpy").Run() != nil {
			t.Skip("python3 has no cv2 and numpy, with which the rooms are rendered; make test-python has them")
		}
	}
	dir := t.TempDir()
	script := func(name string, args ...string) {
		t.Helper()
		if out, err := exec.Command(python, append([]string{filepath.Join("../../testdata/space", name)}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	right := filepath.Join(dir, "right")
	script("rooms.py", right, "--places", "2", "--views", "8", "--pairs", "10", "--depth")
	for _, c := range []struct {
		kind, reading string
		differ        int // at least
	}{
		{"", "", 0},
		{"inverse", "inverse poses", 20},
		{"transposed", "transposed rotations", 20},
		{"double", "cameras of images of twice the size", 18},
		{"exchanged", "", 20},
		{"longer", "focal lengths 12 % shorter", 20}, // by 12 %: epipolar lines move little near the epipole
		{"5000", "depth in units of 1/5000", 20},
		{"256", "depth in units of 1/256", 20},
		{"rays", "depth along rays instead of z", 15},
		{"corner", "", 0}, // half a pixel in both images
	} {
		root := right
		if c.kind != "" {
			root = filepath.Join(dir, c.kind)
			script("wrong.py", right, root, c.kind)
		}
		src := dataset.Source{Root: root}
		found := must.Get(src.List(t.Context(), 2, 2, false))(t)
		pairs := must.Get(All(t.Context(), found, 2, 2))(t)
		differ, named := 0, 0
		for _, p := range pairs {
			if p.Verdict == Differs {
				differ++
				if p.Instead == c.reading {
					named++
				}
			}
		}
		if len(pairs) != 20 || differ < c.differ || c.differ == 0 && differ > 0 || c.reading != "" && named < differ {
			t.Errorf("%q: of %d pairs, %d differ, %d of them %q", c.kind, len(pairs), differ, named, c.reading)
		}
	}
}
