package report_test

import (
	"slices"
	"testing"

	"descbench/eval/patches/y2017"
	"descbench/eval/scope"
	"descbench/eval/stats"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// A reader of some columns needs no notes about others. What makes every value of a
// descriptor doubtful, such as packed bits, stands below any column.
func TestPatchTablesHaveTheNotesOfTheirRowsAndColumns(t *testing.T) {
	mean := &y2017.Estimate{Value: 0.5, Interval: stats.NoInterval()}
	result := func(name string, warnings ...scope.Warning) *y2017.Result {
		r := &y2017.Result{Descriptor: name, Warnings: warnings, Summary: y2017.Summary{Verification: mean, Matching: mean, Retrieval: mean}}
		r.Retrieval = &y2017.RetrievalFigures{}
		return r
	}
	pools, coded := scope.Warning{Kind: "short-pool", Text: "pools have 9"}, scope.Warning{Kind: "correct-matches", Text: "matching over correct"}
	results := []*y2017.Result{
		result("sift", pools, coded), result("orb", scope.Warning{Kind: "packed", Text: "bits?"}, pools, coded),
		result("brief", scope.Warning{Kind: "packed", Text: "bits?"}, pools, scope.Warning{Kind: "noise-order", Text: "e and t?"}),
	}
	const mean7, short, correct = "retrieval: mean over 7 pool sizes, 100 to 20000", "retrieval: pools have 9", "matching over correct"
	for _, c := range []struct{ rows, columns, want []string }{
		{nil, nil, []string{mean7, correct, short, "orb, brief: bits?", "brief: e and t?"}},
		{nil, []string{"retrieval"}, []string{mean7, short, "orb, brief: bits?"}},
		{nil, []string{"verification"}, []string{"orb, brief: bits?"}},
		{[]string{"sift"}, []string{"verification"}, nil},
		{[]string{"sift", "brief"}, []string{"matching"}, []string{correct, "brief: bits?", "brief: e and t?"}},
	} {
		shown := report.PatchTasks(results, nil, false)
		if c.rows != nil {
			shown.KeepRows(c.rows)
		}
		if c.columns != nil {
			if err := shown.Choose(c.columns); err != nil {
				t.Fatal(err)
			}
		}
		report.NotePatchTasks(shown, results)
		if !slices.Equal(table.Texts(shown.Explained()), c.want) {
			t.Errorf("rows %q, columns %q: %q, want %q", c.rows, c.columns, table.Texts(shown.Explained()), c.want)
		}
	}
}
