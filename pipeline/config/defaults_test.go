package config

import (
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
