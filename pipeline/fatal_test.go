package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
)

const twoScenes = `
experiment: {name: two}
dataset: {root: data}
keypoint_sets:
  - {name: s, detect: {type: orb}, border: 40}
  - {name: top, from: s, top: {by: response, total: 100}}
descriptors: [{name: d, type: orb, keypoints: %s}]
output: {root: runs}
`

// withData returns a folder that contains a folder data with two scenes.
func withData(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, scene := range []string{"i_synth_001", "v_synth_001"} {
		must.Do(t, os.CopyFS(filepath.Join(dir, "data", scene), os.DirFS("../testdata/scenes/"+scene)))
	}
	return dir
}

func wantNoFailures(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".failed.json") {
			t.Errorf("%s exists, want nothing recorded as failed", path)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // nothing is recorded at all
		}
		return err
	})
	must.Do(t, err)
}

func TestARunStopsAndResumesWhenItsDataVanishFromUnderIt(t *testing.T) {
	dir := withData(t)
	cfg := configtest.Load(t, dir, fmt.Sprintf(twoScenes, "s"))
	opt := plantest.Options(filepath.Join(dir, "cache"))
	opt.Jobs = 1
	away := filepath.Join(dir, "away")
	opt.Progress = func(plan.Event) {
		if err := os.Rename(cfg.Dataset.Root, away); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	outcome, err := Run(t.Context(), cfg, opt)
	var fault *plan.DataError
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), "data: the folder of the scenes no longer exists; the run has stopped, and finished scenes are saved") {
		t.Fatalf("error is %v", err)
	}
	if outcome.Summary != nil {
		t.Error("there is a summary of what was left")
	}
	wantNoFailures(t, outcome.Folder)
	opt.Progress = nil
	must.Do(t, os.Rename(away, cfg.Dataset.Root))
	outcome, err = Run(t.Context(), cfg, opt)
	if err != nil || outcome.Summary.ScenesEvaluated != 2 || outcome.Share.Resumed != 1 {
		t.Errorf("resumed: %+v, %v; want 2 scenes, 1 of them reused", outcome, err)
	}
}

func TestFaultsOfThePlaceStopARunAndFaultsOfASceneDoNot(t *testing.T) {
	dir := withData(t)
	cfg := configtest.Load(t, dir, fmt.Sprintf(twoScenes, "top"))
	p := must.Get(plan.Find(cfg))(t)
	opt := plantest.Options(filepath.Join(dir, "cache"))
	stage := must.Get(features.New(p, p.Folder(), opt))(t)
	defer stage.Close()
	must.Get(plan.Prepare(p, opt))(t)
	r := must.Get(newRunner(stage, opt))(t)
	prepare := func(scene string, cause error) error {
		return r.prepareScene(t.Context(), scene, func(context.Context, *features.Scene) error { return cause })
	}
	var fault *plan.DataError
	for _, cause := range []syscall.Errno{syscall.EIO, syscall.ESTALE, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOTCONN} {
		err := prepare("v_synth_001", fmt.Errorf("keypoint set s: %w", &fs.PathError{Op: "read", Path: "1.png", Err: cause}))
		if !errors.As(err, &fault) {
			t.Errorf("%v: error is %v, want that the run stops", cause, err)
		}
	}
	wantNoFailures(t, string(p.Folder()))

	// A share that leaves an empty folder behind.
	scene := filepath.Join(cfg.Dataset.Root, "v_synth_001")
	must.Do(t, os.Rename(scene, filepath.Join(dir, "away")))
	if err := prepare("v_synth_001", nil); !errors.As(err, &fault) || !strings.Contains(err.Error(), "the folder of scene v_synth_001 no longer exists") {
		t.Errorf("error is %v, want that the scene's folder no longer exists", err)
	}
	wantNoFailures(t, string(p.Folder()))

	if err := prepare("i_synth_001", &fs.PathError{Op: "open", Path: "1.png", Err: syscall.EACCES}); err != nil {
		t.Errorf("error is %v, want a failed scene", err)
	}
	units := must.Get(p.Folder().Units(p))(t)
	if reason, failed := units.Failed(p.Config.Descriptors[0].Name, "i_synth_001"); reason != "open 1.png: permission denied" || !failed {
		t.Errorf("failed because of %q, %v", reason, failed)
	}
}

func TestASelectionOverAllScenesIsNotMadeAmongTheSurvivors(t *testing.T) {
	dir := withData(t)
	cfg := configtest.Load(t, dir, fmt.Sprintf(twoScenes, "top"))
	opt := plantest.Options(filepath.Join(dir, "cache"))
	image := filepath.Join(cfg.Dataset.Root, "v_synth_001", "2.png")
	whole := mustRead(t, image)
	must.Do(t, os.WriteFile(image, whole[:20000], 0o666))
	_, err := Run(t.Context(), cfg, opt)
	var fault *plan.DataError
	if want := "keypoint set top: its selection over all scenes needs every scene, and 1 of 2 failed; repair them or leave them out with dataset.scenes: v_synth_001: v_synth_001/2.png: the image file is truncated"; !errors.As(err, &fault) || err.Error() != want {
		t.Fatalf("error is %v, want %s", err, want)
	}
	must.Do(t, os.WriteFile(image, whole, 0o666))
	outcome, err := Run(t.Context(), cfg, opt)
	if err != nil || outcome.Summary.ScenesEvaluated != 2 {
		t.Errorf("repaired: %+v, %v; want 2 scenes", outcome, err)
	}
}
