package page

import (
	"math"
	"slices"

	"descbench/eval/fact"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// A difference is that of a system from the baseline that it is compared with.
type difference struct {
	Defined bool
	Value   float64
	Text    string // in percentage points; "baseline" of one
	Range   string // of its interval
	Mark    string // of the test
	Test    string // what the mark means
}

// marks are those of verdicts of tests.
var marks = map[string]string{"better": " †", "worse": " †", "~": " ~"}

// difference returns the difference of a system in a scope.
func (r *results) difference(s *fold.System, in string) difference {
	c := r.against[s]
	if c == nil {
		return difference{Text: "–"}
	}
	row := c.Row(s.Name, in)
	switch {
	case c.Baseline == s.Name && c.Rows != nil:
		return difference{Defined: true, Text: "baseline"}
	case row == nil:
		return difference{Text: "–"}
	}
	d := difference{Defined: true, Value: row.Difference, Mark: marks[row.Verdict], Test: "not tested: too few scenes"}
	if !math.IsNaN(row.PHolm) {
		d.Test = "p = " + table.P.Format(row.PHolm)
	}
	value, low, high := table.Points.Rounded(row.Cell(), table.Points.Decimals(true))
	if d.Text = figure.Minus(value); low != "" {
		d.Range = figure.Minus(low) + " to " + figure.Minus(high)
	}
	return d
}

// Tests says how differences were tested, and what was not compared, each once.
func (r *results) Tests() (sentences []string) {
	add := func(text string) {
		if text != "." && !slices.Contains(sentences, text) {
			sentences = append(sentences, text)
		}
	}
	for _, c := range r.Comparisons {
		add(c.Tested() + ".")
		if text, _ := c.Untested(); text != "" {
			add("Differences without a mark are not tested: " + text + ".")
		}
		for _, l := range notes.Lines(slices.DeleteFunc(slices.Clone(c.Facts), func(f fact.Fact) bool {
			shown := slices.ContainsFunc(r.Systems, func(s *fold.System) bool { return s.Name == f.Descriptor && r.against[s] == c })
			return !shown || f.Kind != fact.OtherKeypoints && !notes.Apart(f.Kind)
		})) {
			add(l.String() + ".")
		}
	}
	return sentences
}
