package pipeline

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"

	"descbench/eval/must"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
)

// everyLibrary uses OpenCV in every way that a run can: detection, description,
// detection and description in one pass, colour, pooling, homographies.
const everyLibrary = `
experiment: {name: leftovers}
dataset: {root: ROOT}
output: {root: runs}
keypoint_sets:
  - {name: sifts, detect: {type: sift}, border: 30, top: {by: response, per_image: 30}}
  - {name: orbs, detect: {type: orb}, border: 30, top: {by: response, total: 100}}
  - {name: akazes, detect: {type: akaze}, border: 30, top: {by: response, per_image: 30}}
descriptors:
  - {name: rootsift, type: sift, root: l1, keypoints: sifts}
  - {name: rgbsift, type: rgbsift, keypoints: sifts}
  - {name: dspsift, type: sift, pooling: {type: domain_size, scales: [0.85, 1, 1.3]}, keypoints: sifts}
  - {name: surf, type: surf, keypoints: sifts}
  - {name: orb, type: orb, keypoints: orbs}
  - {name: akaze, type: akaze, keypoints: akazes}
`

func TestARunLeavesNoGoroutineNoFileAndNoMatrixOfOpenCV(t *testing.T) {
	scenes := t.TempDir()
	must.Do(t, os.CopyFS(filepath.Join(scenes, "v_synth_001"), os.DirFS("../testdata/scenes/v_synth_001")))
	text := string(bytes.ReplaceAll([]byte(everyLibrary), []byte("ROOT"), []byte(scenes)))

	run := func(ctx context.Context) error {
		dir := t.TempDir()
		_, err := Run(ctx, configtest.Load(t, dir, text), plantest.Options(filepath.Join(dir, "cache")))
		return err
	}
	// What libraries start once and keep does not count.
	must.Do(t, run(t.Context()))
	for name, do := range map[string]func() error{
		"finished": func() error { return run(t.Context()) },
		"interrupted": func() error {
			dir := t.TempDir()
			ctx, cancel := context.WithCancel(t.Context())
			opt := plantest.Options(filepath.Join(dir, "cache"))
			opt.Progress = func(plan.Event) { cancel() }
			if _, err := Run(ctx, configtest.Load(t, dir, text), opt); err == nil {
				t.Error("interrupted: the run went on to its end")
			}
			return nil
		},
	} {
		leavesNothing(t, name, do)
	}
	// A failing image comes last, because the scenes are shared.
	image := filepath.Join(scenes, "v_synth_001", "4.png")
	whole := must.Get(os.ReadFile(image))(t)
	must.Do(t, os.WriteFile(image, whole[:len(whole)/2], 0o666))
	leavesNothing(t, "one image cut off", func() error {
		if run(t.Context()) == nil {
			t.Error("half an image is accepted")
		}
		return nil
	})
}

func leavesNothing(t *testing.T, name string, do func() error) {
	t.Helper()
	goroutines, files, matrices := runtime.NumGoroutine(), openFiles(t), matricesOfOpenCV()
	if err := do(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	// A goroutine that has done its work may still be about to end.
	for until := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > goroutines && time.Now().Before(until); {
		runtime.Gosched()
	}
	if left := runtime.NumGoroutine() - goroutines; left > 0 {
		var where bytes.Buffer
		_ = pprof.Lookup("goroutine").WriteTo(&where, 1)
		t.Errorf("%s: %d goroutines are left, of these:\n%s", name, left, &where)
	}
	if left := openFiles(t) - files; left > 0 {
		t.Errorf("%s: %d files are left open", name, left)
	}
	if left := matricesOfOpenCV() - matrices; left > 0 {
		var where bytes.Buffer
		_ = pprof.Lookup(matrixProfile).WriteTo(&where, 1)
		t.Errorf("%s: %d matrices are left, of these:\n%s", name, left, &where)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("open files cannot be counted: %v", err)
	}
	return len(files)
}

// matrixProfile is the name of gocv's profile of matrices, which exists only with
// the build tag matprofile; see make leaks.
const matrixProfile = "gocv.io/x/gocv.Mat"

func matricesOfOpenCV() int {
	if p := pprof.Lookup(matrixProfile); p != nil {
		return p.Count()
	}
	return 0
}
