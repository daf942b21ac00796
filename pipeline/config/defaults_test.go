package config

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/matching"
	"descbench/eval/must"
)

func TestLayersStandAboveEachOther(t *testing.T) {
	const rest = "experiment: {name: e}\nkeypoint_sets: [{name: s, detect: {type: sift}}]\ndescriptors: [{name: d, type: sift, keypoints: s}]\n"
	const file = "dataset: {root: /file}\n"
	env, set := []string{"DESCBENCH_DATASET_ROOT=/env"}, []string{"dataset.root=/set"}
	below := []Override{{"dataset.root", "/default", "the user's file: data"}}
	flag := []Override{{"dataset.root", "/flag", "--data /flag"}}
	above := []Override{{"dataset.root", "/variable", "DESCBENCH_DATA"}}
	for _, c := range []struct {
		text string
		o    Overrides
		want string
	}{
		{"", Overrides{Defaults: below}, "/default"},
		{"dataset: {subset: viewpoint}\n", Overrides{Defaults: below}, "/default"},
		{file, Overrides{}, "/file"},
		{file, Overrides{Defaults: below}, "/file"},
		{"", Overrides{Defaults: below, Env: env}, "/env"},
		{file, Overrides{Env: env}, "/env"},
		{file, Overrides{Defaults: below, Variables: above}, "/variable"},
		{"", Overrides{Variables: above, Set: set}, "/set"},
		{file, Overrides{Env: env, Set: set}, "/set"},
		{file, Overrides{Env: env, Set: set, Flags: flag}, "/flag"},
		{"", Overrides{Flags: flag}, "/flag"},
		{"", Overrides{Defaults: below, Variables: above, Flags: flag}, "/flag"},
	} {
		path := filepath.Join(t.TempDir(), "c.yaml")
		must.Do(t, os.WriteFile(path, []byte(rest+c.text), 0o666))
		cfg, err := Load(path, c.o)
		if err != nil || cfg.Dataset.Root != c.want {
			t.Errorf("%q with %+v: %v, want the data set %s", c.text, c.o, err, c.want)
		}
	}
}

// The matches of a program are all mutual or not by its own rules: no cross check drops them.
func TestAMatcherOfAProgramsMatchesSelectsByTheirScoresOnly(t *testing.T) {
	const text = "experiment: {name: e}\ndataset: {root: /d}\ndescriptors: [{name: m, type: command, run: [m], operation: match, matcher: {top_k: 7}}]\n"
	path := filepath.Join(t.TempDir(), "c.yaml")
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	cfg, err := Load(path, Overrides{})
	must.Do(t, err)
	if got, want := cfg.MatcherOf(cfg.Descriptors[0]), (matching.Matcher{TopK: 7}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	_, err = Load(path, Overrides{Set: []string{"descriptors[m].matcher.cross_check=true"}})
	must.FailAbout(t, err, "imported matches are pairs")
}

// A plane does not determine a pose. The default estimators are those of the data.
func TestEstimatorsSuitTheData(t *testing.T) {
	for _, c := range []struct {
		estimators string
		cameras    bool
		want       string // of the estimators, or the error
	}{
		{"", false, "[ransac magsac]"}, {"", true, "[essential]"}, {"[]", true, "[]"}, {"[dlt]", false, "[dlt]"},
		{"[essential_2px, {type: essential_magsac, focal: superglue}]", true, "[essential_2px essential_magsac_superglue]"},
		{"[ransac, essential]", false, "evaluation.estimators: essential is for images with cameras, not with homographies: a plane does not determine a pose"},
		{"[essential, dlt]", true, "evaluation.estimators: dlt is for images with homographies, not with cameras; want essential or another estimator of poses"},
	} {
		var set []string
		if c.estimators != "" {
			set = []string{"evaluation.estimators=" + c.estimators}
		}
		cfg := mustLoad(t, "../../configs/demo.yaml", set...)
		got := ""
		if err := cfg.FitEstimators(c.cameras); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(cfg.Evaluation.Estimators)
		}
		if got != c.want {
			t.Errorf("%s, cameras %v: %s, want %s", c.estimators, c.cameras, got, c.want)
		}
	}
}
