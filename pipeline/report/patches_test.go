package report_test

import (
	"slices"
	"testing"

	"descbench/eval/must"

	"descbench/eval/fact"
	"descbench/eval/patches/y2017"
	"descbench/pipeline/notes"
	"descbench/pipeline/report"
)

// A reader of some columns needs no notes about others. What makes every value of a
// descriptor doubtful, such as packed bits, stands below any column.
func TestPatchTablesHaveTheNotesOfTheirRowsAndColumns(t *testing.T) {
	result := func(name string, facts ...fact.Fact) *y2017.Result {
		return &y2017.Result{Descriptor: name, Facts: facts, Tasks: y2017.Tasks()}
	}
	pools, coded := fact.New(fact.ShortPool).Of("retrieval").With("first", 9).With("last", 9).With("least", 1).With("most", 2), fact.New(fact.CorrectMatches)
	packed, order := fact.New(fact.Packed).With("dimension", 8), fact.New(fact.NoiseOrder).With("easy", 0.1).With("tough", 0.2)
	results := []*y2017.Result{
		result("sift", pools, coded), result("orb", packed, pools, coded),
		result("brief", packed, pools, order),
	}
	const mean7 = "retrieval: mean over 7 pool sizes, 100 to 20000"
	short, correct, bits, noise := notes.Text(pools), notes.Text(coded), notes.Text(packed), notes.Text(order)
	for _, c := range []struct{ rows, columns, want []string }{
		{nil, nil, []string{mean7, short, "sift, orb: " + correct, "orb, brief: " + bits, "brief: " + noise}},
		{nil, []string{"retrieval"}, []string{mean7, short, "orb, brief: " + bits}},
		{nil, []string{"verification"}, []string{"orb, brief: " + bits}},
		{[]string{"sift"}, []string{"verification"}, nil},
		{[]string{"sift", "brief"}, []string{"matching"}, []string{"sift: " + correct, "brief: " + bits, "brief: " + noise}},
	} {
		shown := report.PatchTasks(results, nil, false)
		if c.rows != nil {
			shown.KeepRows(c.rows)
		}
		if c.columns != nil {
			must.Do(t, shown.Choose(c.columns))
		}
		report.NotePatchTasks(shown, results)
		if !slices.Equal(shown.Lines(), c.want) {
			t.Errorf("rows %q, columns %q: %q, want %q", c.rows, c.columns, shown.Lines(), c.want)
		}
	}
}
