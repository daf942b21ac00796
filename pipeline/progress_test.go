package pipeline

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
)

// Two equal descriptors, of which one is always ahead by a scene.
const twins = `
experiment: {name: twins}
dataset: {root: ROOT}
output: {root: runs}
keypoint_sets:
  - {name: few, detect: {type: sift}, border: 30, top: {by: response, per_image: 30}}
descriptors:
  - {name: first, type: sift, keypoints: few}
  - {name: second, type: sift, keypoints: few}
`

func TestTheRunningMAPComparesDescriptorsOnTheSameScenes(t *testing.T) {
	dir := t.TempDir()
	opt := plantest.Options(filepath.Join(dir, "cache"))
	opt.Jobs = 1
	compared, most, last := 0, 0, math.NaN()
	opt.Progress = func(e plan.Event) {
		a, b := e.Running[0].MAP, e.Running[1].MAP
		if most = max(most, e.Scenes); math.IsNaN(a) || math.IsNaN(b) {
			return
		}
		last = a
		if compared++; a != b {
			t.Errorf("%d of %d units: mAP %v and %v over %d scenes, want equal values", e.Done, e.Total, a, b, e.Scenes)
		}
	}
	outcome := must.Get(Run(context.Background(), configtest.Load(t, dir, twins), opt))(t)
	if want, ok := outcome.Summary.Descriptors[0].Metrics.Get("true_map_micro"); !ok || !(math.Abs(last-want) < 1e-12) {
		t.Errorf("the last running mAP is %v, the result %v", last, want)
	}
	if compared < 4 || most < 3 {
		t.Errorf("%d events with both, of up to %d scenes", compared, most)
	}

	// After two units are lost, the others count from the start.
	must.Do(t, os.Remove(filepath.Join(outcome.Folder, "units", "1", "v_synth_001.zip")))
	total := 2 * outcome.Summary.ScenesRequested
	var done []int
	opt.Progress = func(e plan.Event) { done = append(done, e.Done) }
	must.Get(Run(context.Background(), configtest.Load(t, dir, twins), opt))(t)
	if len(done) != total+1 || done[0] != total-2 || !slices.Contains(done, total-1) || slices.Max(done) != total || !slices.IsSorted(done) {
		t.Errorf("events after %v of %d units", done, total)
	}
}
