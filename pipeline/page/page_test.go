package page

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/scope"
	"descbench/pipeline"
	"descbench/pipeline/charts"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/store"
)

// hostileScene has a name that would run a script in a page that does not escape it.
const hostileScene = `v_<script>alert(1)<b> & "#%?`

// script would run in a page that does not escape it, inside of a script, too.
const hostile = `</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">'"&`

const runConfig = `
experiment: {name: small, description: "DESCRIPTION"}
dataset: {root: scenes}
keypoint_sets:
  - {name: many, detect: {type: sift}, border: 16, top: {by: response, per_image: 60}}
  - {name: few, from: many, top: {by: response, per_image: 30}}
descriptors:
  - {name: sift, type: sift, keypoints: many}
  - {name: rootsift, type: sift, root: l1, keypoints: many}
  - {name: a/b-c.d, type: brisk, keypoints: few}
evaluation: {estimators: [ransac]}
output: {root: runs}
`

// workFolder has a run of six scenes, one with a hostile name and one that fails, and
// a smaller run of other keypoints.
var workFolder = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "page-test")
	if err != nil {
		return "", err
	}
	const scenes = "../../testdata/scenes"
	if err := os.CopyFS(filepath.Join(dir, "scenes"), os.DirFS(scenes)); err != nil {
		return dir, err
	}
	if err := os.CopyFS(filepath.Join(dir, "scenes", hostileScene), os.DirFS(scenes+"/v_synth_002")); err != nil {
		return dir, err
	}
	if err := errors.Join(
		// A scene that is moved a little, because copies are refused.
		os.WriteFile(filepath.Join(dir, "scenes", hostileScene, "H_1_6"), []byte("1.7662 -1.3572 195.7 1.4724 2.1641 -510.08 0.0019973 -0.00040225 1"), 0o666),
		os.CopyFS(filepath.Join(dir, "scenes", "i_broken"), os.DirFS(scenes+"/i_synth_001")),
		os.Truncate(firstImage(filepath.Join(dir, "scenes", "i_broken")), 200),
	); err != nil {
		return dir, err
	}
	for name, change := range map[string]string{"small": "", "other": "keypoint_sets[many].top.per_image=50"} {
		path := filepath.Join(dir, name+".yaml")
		text := strings.ReplaceAll(runConfig, "DESCRIPTION", strings.ReplaceAll(hostile, `"`, `\"`))
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return dir, err
		}
		set := []string{"experiment.name=" + name}
		if change != "" {
			set = append(set, change, "dataset.scenes=v_synth_001,i_synth_001")
		}
		cfg, err := config.Load(path, config.Overrides{Set: set})
		if err != nil {
			return dir, err
		}
		_, err = pipeline.Run(context.Background(), cfg, plantest.Options(filepath.Join(dir, "cache")))
		var failed *plan.FailedScenesError // by design, in the run of all scenes
		if err != nil && !errors.As(err, &failed) {
			return dir, err
		}
	}
	return dir, nil
})

func firstImage(scene string) string {
	found, _ := filepath.Glob(filepath.Join(scene, "1.*"))
	return found[0]
}

func TestMain(m *testing.M) {
	status := m.Run()
	_, end := chromium()
	end()
	if dir, _ := workFolder(); dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

func testRun(t *testing.T, name string) string {
	t.Helper()
	dir := must.Get(workFolder())(t)
	return filepath.Join(dir, "runs", name)
}

// written returns the main page of runs, written to a new folder.
func written(t *testing.T, runs ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	must.Get(Write(context.Background(), path, runs, Options{}))(t)
	return path
}

func TestFailedScenesAndNumberOfScenesStandOnThePage(t *testing.T) {
	text := must.Get(os.ReadFile(written(t, testRun(t, "small"))))(t)
	for _, want := range []string{"5 of 6 scenes (3 viewpoint, 2 illumination)", "<h2>Failed scenes</h2>", "<li>FAILED (excluded from all metrics): i_broken", "<small>of 6</small>"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the page does not contain %q", want)
		}
	}
}

func TestEveryNameIsEscaped(t *testing.T) {
	// Configs admit no such names of descriptors and experiments today. The page does
	// not rely on it.
	one := &fold.Run{
		Config: &config.Config{Experiment: config.Experiment{Name: hostile, Description: hostile}, Dataset: config.Dataset{Root: hostile}, Descriptors: []config.Descriptor{{Name: hostile}}},
		Summary: &store.Summary{Experiment: hostile, ScenesRequested: 2, ScenesEvaluated: 1, FailedScenes: map[string][]store.Failure{hostile: {{Descriptors: []string{hostile}, Reason: hostile}}},
			Warnings: store.Facts{fact.New(fact.ProgramSays).Naming("note", hostile), fact.New(fact.FewKeypoints, hostile).On(hostile).Naming("images", hostile)}},
		Label: hostile,
	}
	s := &fold.System{Name: hostile, Descriptor: hostile, Run: one, Keypoints: hostile}
	s.Add(scope.Metric{Scope: "all", Name: catalogue.MAP, Value: 0.5})
	r := must.Get(newResults(t.Context(), &fold.Runs{Runs: []*fold.Run{one, one}, Systems: []*fold.System{s}}, s))(t)
	shown := run{one, hostile, hostile, facts(one, plan.Environment{})}
	p := &mainPage{results: r, Folder: hostile, Runs: []run{shown, shown},
		Failed: r.failures(), Warnings: r.remarks(), Ranking: newRanking(r), Charts: &charts.Report{Charts: []charts.Chart{{ID: hostile, Caption: charts.Caption{hostile}, Figure: &figure.Bars{X: figure.Axis{Label: hostile}, Bars: []figure.Bar{{Name: hostile}}}}}, Omitted: []charts.Omission{{Title: hostile, Why: hostile}}}}
	data := must.Get(encode(script{Systems: r.scriptSystems(nil)}))(t)
	p.Data = data
	path := filepath.Join(t.TempDir(), "report.html")
	must.Do(t, write(filepath.Dir(path), path, "report.html", p))
	text := must.Get(os.ReadFile(path))(t)
	if n := bytes.Count(text, []byte("<script")); n != 2 {
		t.Errorf("%d scripts, want the data and the page's own", n)
	}
	if bytes.Contains(text, []byte("<img")) {
		t.Error("a name became an element")
	}
}
