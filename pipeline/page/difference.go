package page

import (
	"math"
	"slices"

	"descbench/eval/fact"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/report/table"
)

// difference returns the difference of a system in a scope from the baseline that it is compared with, and what
// its test found.
func (r *results) difference(s *fold.System, in string) (cell table.Cell, test string) {
	c := r.against[s]
	if c == nil {
		return cell, ""
	}
	row := c.Row(s.Name, in)
	switch {
	case c.Baseline == s.Name && c.Rows != nil:
		return table.Number(0).Noted("baseline"), ""
	case row == nil:
		return cell, ""
	}
	test = "not tested: too few scenes"
	if !math.IsNaN(row.PHolm) {
		test = "p = " + table.P.Format(row.PHolm)
	}
	return row.Cell(), test
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
