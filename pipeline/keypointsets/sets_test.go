package keypointsets

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline"
	"descbench/pipeline/config"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
	"descbench/pipeline/store/unitfile"
)

const setGraph = `
experiment: {name: sets}
dataset: {root: ROOT, scenes: [i_synth_001, v_synth_001]}
keypoint_sets:
  - {name: sift, detect: {type: sift}, border: 40, top: {by: response, per_image: 300}}
  - {name: big, from: sift, top: {by: size, total: 2000}}
  - {name: orb, detect: {type: orb}, border: 40}
  - {name: both, intersect: {a: big, b: orb, tolerance_px: 3}, top: {by: size, total: 400}}
  - {name: locked, from: both.b, project: {from_image: 1, carry: geometry}}
descriptors:
  - {name: a, type: sift, keypoints: both.a}
  - {name: b, type: brisk, keypoints: locked}
output: {root: runs}
`

// readAll returns the sets, by scene and image.
func readAll(t *testing.T, cfg *config.Config, opt plan.Options, name string, scenes ...string) (all [][]keypoints.Set) {
	t.Helper()
	err := Source{cfg, name}.Each(context.Background(), opt, scenes, func(_ *dataset.Scene, sets []keypoints.Set) error {
		all = append(all, sets)
		return nil
	})
	must.Do(t, err)
	return all
}

func TestSetsAreThoseOfARun(t *testing.T) {
	dir := t.TempDir()
	cfg := configtest.Load(t, dir, setGraph)
	opt := plantest.Options(filepath.Join(dir, "cache"))
	outcome := must.Get(pipeline.Run(context.Background(), cfg, opt))(t)
	run := plan.Folder(outcome.Folder)
	units := must.Get(run.Units(must.Get(run.Plan())(t)))(t)
	opt.CacheDir = filepath.Join(dir, "another")
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for _, name := range []string{"both.a", "both.b", "locked", "big", "orb"} {
		got := readAll(t, cfg, opt, name)
		if one := readAll(t, cfg, opt, name, "v_synth_001"); !reflect.DeepEqual(one, got[1:]) {
			t.Errorf("%s: of one scene alone the set differs", name)
		}
		for i, scene := range []string{"i_synth_001", "v_synth_001"} {
			want := must.Get(plan.ReadUnit(units, units.Set(name), scene, unitfile.Sets))(t)
			for image := range want {
				if !slices.Equal(got[i][image].Keypoints, want[image].Keypoints) || !slices.Equal(got[i][image].Source, want[image].Source) {
					t.Errorf("%s, %s, image %d: the set has %d keypoints, the run's %d, or others", name, scene, image+1, got[i][image].Len(), want[image].Len())
				}
			}
		}
	}
	left, err := os.ReadDir(temporary)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestTheRecipeHasTheStepsOfAllSets(t *testing.T) {
	got := Source{configtest.Load(t, t.TempDir(), setGraph), "both.a"}.Recipe()
	want := []string{
		"sift: SIFT detector; a margin of 40 px at the edges; the 300 of highest response per image",
		"big: from sift; the 2000 of highest size in total",
		"orb: ORB detector; a margin of 40 px at the edges",
		"both: intersect big with orb, tolerance 3 px; the 400 of highest size in total",
		"both.a",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestDescriptorsOfATableBelongToItsKeypoints runs on CSV whose columns both
// readers, of keypoints and of features, must take for the same.
func TestDescriptorsOfATableBelongToItsKeypoints(t *testing.T) {
	dir := t.TempDir()
	for _, scene := range []string{"i_synth_001", "v_synth_001"} {
		for image := 1; image <= 6; image++ {
			path := filepath.Join(dir, "kp", scene, fmt.Sprintf("%d.csv", image))
			must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
			must.Do(t, os.WriteFile(path, []byte("\ufeffX,y,d1,score,d0\n100.5,90,1,0.25,3\n300,200.25,2,0.5,0\n"), 0o666))
		}
	}
	cfg := configtest.Load(t, dir, `
experiment: {name: tables}
dataset: {root: ROOT, scenes: [i_synth_001, v_synth_001]}
keypoint_sets:
  - {name: all, import: {path: "kp/{scene}/{image}.csv", origin: corner}}
  - {name: best, from: all, top: {by: response, per_image: 1}}
descriptors: [{name: mine, type: file, path: "kp/{scene}/{image}.csv", origin: corner, elements: float32, keypoints: best}]
`)
	opt := plantest.Options(dir)
	outcome := must.Get(pipeline.Run(context.Background(), cfg, opt))(t)
	if n := outcome.Summary.ScenesEvaluated; n != 2 {
		t.Errorf("%d scenes were evaluated, want 2", n)
	}
	best := readAll(t, cfg, opt, "best")
	want := []keypoints.Keypoint{{X: 299.5, Y: 199.75, Angle: -1, Response: 0.5, ClassID: 1}}
	if got := best[1][5].Keypoints; !slices.Equal(got, want) {
		t.Errorf("the best is %+v, want %+v", got, want)
	}
}
