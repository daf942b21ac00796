package config

import (
	"fmt"
	"testing"

	"descbench/eval/matching"
)

// The matches of a program are all mutual or not by its own rules: no cross check drops them.
func TestAMatcherOfAProgramsMatchesSelectsByTheirScoresOnly(t *testing.T) {
	c := mustLoad(t, "testdata/commands.good.yml")
	if got, want := c.MatcherOf(*c.Named("lightglue")), (matching.Matcher{TopK: 30}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
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
