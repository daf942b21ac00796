package config

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/matching"
	"descbench/eval/must"
)

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
	must.FailAbout(t, err, "its matches are pairs")
}

// A plane does not determine a pose. The default estimators are those of the data.
func TestEstimatorsSuitTheData(t *testing.T) {
	for _, c := range []struct {
		estimators string
		cameras    bool
		want       string // of the estimators, or the error
	}{
		{"", false, "[ransac magsac]"}, {"", true, "[essential]"}, {"[]", true, "[]"}, {"[dlt]", false, "[dlt]"},
		{"[essential_2px, essential_magsac_superglue]", true, "[essential_2px essential_magsac_superglue]"},
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
