package pipeline

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/config"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
)

const fewPoints = `
experiment: {name: x}
dataset: {root: ROOT, scenes: [i_synth_001, v_synth_001]}
keypoint_sets: [{name: few, detect: {type: sift}, border: 40, top: {by: response, per_image: 20}}]
descriptors: [{name: sift, type: sift, keypoints: few}]
`

// Units of different runs must not be mixed.
func TestARunStopsWhenItsFolderIsRemovedOrReplaced(t *testing.T) {
	for what, act := range map[string]func(f plan.Folder, cfg *config.Config) error{
		"removed": func(f plan.Folder, _ *config.Config) error { return os.RemoveAll(string(f)) },
		"replaced": func(f plan.Folder, _ *config.Config) error {
			return errors.Join(os.Rename(string(f), string(f)+".old"), os.CopyFS(string(f), os.DirFS(string(f)+".old")))
		},
	} {
		dir := t.TempDir()
		cfg := configtest.Load(t, dir, fewPoints)
		p, err := plan.Find(cfg)
		must.Do(t, err)
		opt := plantest.Options(dir)
		opt.Jobs = 1
		units := 0
		opt.Progress = func(plan.Event) {
			units++
			if err := act(p.Folder(), cfg); err != nil {
				t.Error(err)
			}
		}
		_, err = Run(context.Background(), cfg, opt)
		if !errors.As(err, new(*plan.DataError)) || !strings.Contains(err.Error(), "moved, removed or replaced during the run") {
			t.Errorf("%s: got %v", what, err)
		}
		if units != 1 {
			t.Errorf("%s: %d units, want 1", what, units)
		}
		if err := os.RemoveAll(string(p.Folder())); err != nil { // both have the same
			t.Fatal(err)
		}
	}
}

// A scene of the other shard that fails is reported by the shard that found it.
func TestAShardThatWaitsReportsTheScenesThatItFoundToFail(t *testing.T) {
	dir := t.TempDir()
	data := dir + "/data"
	must.Do(t, os.CopyFS(data, os.DirFS("../testdata/scenes")))
	cut := must.Get(os.OpenFile(data+"/i_synth_002/H_1_3", os.O_WRONLY|os.O_TRUNC, 0))(t)
	must.Get(io.WriteString(cut, "1 0 0\n"))(t)
	cut.Close()
	cfg := configtest.Load(t, dir, `
experiment: {name: x}
dataset: {root: data}
keypoint_sets: [{name: few, detect: {type: sift}, border: 40, top: {by: response, per_image: 20}}]
descriptors: [{name: sift, type: sift, keypoints: few}]
evaluation: {workbench_tasks: {distractors_per_scene: 10}}
`)
	opt := plantest.Options(dir)
	opt.Wait = true
	for _, c := range []struct{ shard, requested, failed int }{
		{1, 4, 1}, // i_synth_001, v_synth_001, and those of shard 2, which nobody computes
		{2, 2, 1}, // i_synth_002, v_synth_002
	} {
		opt.Shard = plan.Shard{Index: c.shard, Count: 2}
		_, err := Run(context.Background(), cfg, opt)
		var failed *plan.FailedScenesError
		if errors.As(err, &failed); (failed == nil) != (c.failed == 0) || failed == nil && err != nil {
			t.Fatalf("shard %d: got %v, want %d scenes failed", c.shard, err, c.failed)
		}
		if failed != nil && (failed.Requested != c.requested || len(failed.Failed) != c.failed) {
			t.Errorf("shard %d: got %+v, want %d of %d", c.shard, failed, c.failed, c.requested)
		}
	}
}
