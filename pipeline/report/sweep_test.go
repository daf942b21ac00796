package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"descbench/eval/scope"
	"descbench/pipeline/report/table"
)

// dsp has the highest value, but keypoints of its own.
func TestASweepMarksTheBestOfTheSameKeypointsOnly(t *testing.T) {
	at := func(v float64) []*scope.Metric { return []*scope.Metric{{Value: v, Low: v, High: v}} }
	s := &scope.Sweep{Key: "tolerance_px", Values: []float64{3}, Metric: "true_map_micro", Scope: "all", Rows: []scope.SweepRow{
		{Descriptor: "sift", Group: "a", Metrics: at(.5)}, {Descriptor: "dsp", Group: "b", Metrics: at(.75)}, {Descriptor: "surf", Group: "a", Metrics: at(.25)},
		{Descriptor: "kaze", Group: "a", Metrics: at(.25)}, {Descriptor: "daisy", Group: "a", Metrics: at(.25)},
	}}
	for _, tidy := range []bool{false, true} {
		var b bytes.Buffer
		if err := SweepTable(s, tidy, nil).Write(&b, table.AsText, 0); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			name, _, _ := strings.Cut(line, " ")
			if got := strings.Contains(line, "*"); got != (name == "sift" || name == "±" || name == "*") {
				t.Errorf("tidy %v: %q", tidy, line)
			}
		}
		want := "(sift to daisy; dsp)" // the rows of a set together, but for programs
		if tidy {
			want = "(sift, surf, kaze, daisy; dsp)"
		}
		if !strings.Contains(b.String(), "* best on the same keypoints and scenes "+want) {
			t.Errorf("tidy %v: %s", tidy, &b)
		}
	}
}

// 9 + 3·(2 + 10) characters fit into one column of a paper.
func TestANarrowSweepIsATableOfOneColumn(t *testing.T) {
	at := []*scope.Metric{{Value: .5, Low: .4, High: .6}, {Value: .5, Low: .4, High: .6}, {Value: .5, Low: .4, High: .6}}
	s := &scope.Sweep{Key: "tolerance_px", Values: []float64{1, 2, 3}, Metric: "map_macro", Scope: "all", Rows: []scope.SweepRow{{Descriptor: "sift", Metrics: at}}}
	var b bytes.Buffer
	if err := SweepTable(s, false, nil).Write(&b, table.LaTeX, table.PageWidth); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, "\\begin{table}\n") || !strings.Contains(got, "descriptor & 1 & 2 & 3 ") {
		t.Error(got)
	}
}

func TestAWarningOfASweepHasTheRangeOverTheValues(t *testing.T) {
	of := func(text string) []scope.Warning { return []scope.Warning{{Kind: "many-ties", Text: text}} }
	s := &scope.Sweep{Key: "tolerance_px", Values: []float64{1, 3, 10}, Rows: []scope.SweepRow{
		{Descriptor: "surf", Warnings: [][]scope.Warning{of("in 34.2 % of 8 queries; read on"), of("in 9 % of 8 queries; read on"), of("in 30.3 % of 8 queries; read on")}},
		{Descriptor: "orb", Warnings: [][]scope.Warning{nil, nil, of("in 5 % of 8 queries")}},
	}}
	var got []string
	for _, w := range SweepWarnings(s) {
		got = append(got, w.Descriptor+": "+w.Text)
	}
	want := []string{"surf: in 9–34.2 % of 8 queries (tolerance_px=1–10, over all scenes); read on", "orb: in 5 % of 8 queries (tolerance_px=10, over all scenes)"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
