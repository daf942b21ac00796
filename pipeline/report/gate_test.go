package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/stats"
)

func TestWorseDescriptorsAreNamed(t *testing.T) {
	row := func(difference float64, verdict string, scenes int) ComparisonRow {
		r := ComparisonRow{Descriptor: "mine", Scope: "all", Comparison: stats.Comparison{Difference: difference}, PHolm: 0.03, Tested: verdict != "untested", Verdict: verdict}
		for i := range scenes {
			r.Differences = append(r.Differences, SceneDifference{Scene: fmt.Sprint("v_", i)})
		}
		return r
	}
	lacks := fact.New(fact.Unshared).On("mine").Naming("base", "v_8", "v_9").Naming("other", "v_7")
	for name, c := range map[string]struct {
		metric           string
		row              ComparisonRow
		facts            []fact.Fact
		by               float64
		worse, undecided string
	}{
		"significantly":          {"map", row(-0.021, "worse", 8), nil, math.NaN(), "mine is worse than sift in map by 2.10 points (p 0.03)", ""},
		"better":                 {"map", row(0.021, "better", 8), nil, math.NaN(), "", ""},
		"not significantly":      {"map", row(-0.021, "~", 8), nil, math.NaN(), "", ""},
		"by more":                {"map", row(-0.021, "~", 8), nil, 2, "mine is worse than sift in map by 2.10 points", ""},
		"by less":                {"map", row(-0.019, "worse", 8), nil, 2, "", ""},
		"a metric of errors":     {"localization_error", row(0.4, "untested", 3), nil, 0.3, "mine is worse than sift in localization_error by 0.40", ""},
		"of which less is good":  {"localization_error", row(-0.4, "untested", 3), nil, 0.3, "", ""},
		"too few scenes":         {"map", row(0.2, "untested", 5), nil, math.NaN(), "", "mine: 5 scenes, but significance needs 6"},
		"few scenes that differ": {"map", row(-0.2, "untested", 6), nil, math.NaN(), "", ""},
		"a scene is missing":     {"map", row(0.2, "better", 7), []fact.Fact{lacks}, math.NaN(), "mine lacks 2 scenes of sift", ""},
		"no values":              {"map", ComparisonRow{Descriptor: "other", Scope: "viewpoint", Verdict: "worse"}, []fact.Fact{fact.New(fact.NoValues).On("mine")}, 5, "mine cannot be compared with sift", ""},
	} {
		worse, undecided := Comparison{Metric: catalogue.Of(c.metric), Baseline: "sift", Rows: []ComparisonRow{c.row}, Facts: c.facts}.Worse(c.by)
		if strings.Join(worse, "; ") != c.worse || strings.Join(undecided, "; ") != c.undecided {
			t.Errorf("%s: got %q and %q, want %q and %q", name, worse, undecided, c.worse, c.undecided)
		}
	}
}
