package page

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/must"
	"descbench/eval/scope"
	"descbench/eval/stats"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// Systems are on the keypoint set that the first letter of their name stands for, best first.
func TestThePageSaysWhatIsBestAndByHowMuch(t *testing.T) {
	type values map[string]float64
	for _, c := range []struct {
		name   string
		of     values
		test   report.ComparisonRow // of the first against the second
		wanted []string             // name, next, points ahead, verdict, p
	}{
		{"alone", values{"a1": .5}, report.ComparisonRow{}, []string{"a1 <nil>   "}},
		{"significant, on fewer scenes", values{"a1": .512, "a2": .5}, report.ComparisonRow{Comparison: stats.Comparison{Difference: .0046}, Verdict: "better", PHolm: 1. / 64}, []string{"a1 a2 0.46 better 0.0156"}},
		{"untested", values{"a1": .512, "a2": .5}, report.ComparisonRow{Comparison: stats.Comparison{Difference: .012}, Verdict: "untested"}, []string{"a1 a2 1.20 untested 0.0000"}},
		{"ahead together, behind by scene", values{"a1": .50004, "a2": .5}, report.ComparisonRow{Comparison: stats.Comparison{Difference: -.0012}, Verdict: "~", PHolm: .5}, []string{"a1 a2 less than 0.01 ~ 0.5000"}},
		{"tie of two", values{"a1": .5, "a2": .5, "a3": .4}, report.ComparisonRow{}, []string{"a1 a2   0.0000"}},
		{"tie of three", values{"a1": .5, "a2": .5, "a3": .5}, report.ComparisonRow{}, []string{"a1 a2 and others   0.0000"}},
		{"two sets", values{"a1": .5, "a2": .49, "b1": .7}, report.ComparisonRow{Comparison: stats.Comparison{Difference: .01}}, []string{"a1 a2 1.00  0.0000", "b1 <nil>   "}},
		{"four sets", values{"a1": .5, "b1": .5, "c1": .5, "d1": .5}, report.ComparisonRow{}, nil},
	} {
		r := &results{Runs: &fold.Runs{}, Columns: []report.Selected{{Metric: catalogue.Of(catalogue.MAP)}}}
		all := ranking{Scopes: []scopeRanking{{}}}
		for _, name := range slices.Sorted(maps.Keys(c.of)) {
			s := &fold.System{Name: name, Index: len(r.Systems), Run: &fold.Run{Config: &config.Config{}}, Digests: map[string]store.Digests{"v": {Scene: "v", Set: name[:1]}}}
			r.Systems = append(r.Systems, s)
			all.Scopes[0].Rows = append(all.Scopes[0].Rows, rankingRow{System: s, Cells: []table.Shown{{Cell: table.Number(c.of[name])}}})
		}
		r.with = func(*fold.System) (*report.Comparison, error) {
			test := c.test
			test.Descriptor, test.Scope = "a1", scope.All
			return &report.Comparison{Rows: []report.ComparisonRow{test}}, nil
		}
		var got []string
		for _, l := range must.Get(r.leaders(all))(t) {
			next := "<nil>"
			if l.Next != nil {
				next = l.Next.Name
			}
			if l.Others {
				next += " and others"
			}
			got = append(got, fmt.Sprintf("%s %s %s %s %s", l.System.Name, next, l.Ahead, l.Verdict, l.P))
		}
		if !slices.Equal(got, c.wanted) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.wanted)
		}
	}
}
