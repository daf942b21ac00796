package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// tableOf returns the table of some lines of runs, with all that a reader of its values must know.
func (c *resultsChoice) tableOf(runs []*shown, lines []report.Line, columns []report.Selected) (*table.Table, error) {
	t, absent := report.ResultsTable(lines, columns)
	var metrics []*catalogue.Metric
	for _, column := range columns {
		if !slices.Contains(absent, column.Short) {
			metrics = append(metrics, column.Metric)
		}
	}
	legend := c.describe(t, runs, lines, metrics)
	for i := range t.Columns {
		t.Columns[i].Unmarked = t.Columns[i].Unmarked || legend.MatchesDiffer(catalogue.Of(t.Columns[i].Name))
	}
	var summaries []*store.Summary
	for _, s := range runs {
		t.Tell(c.facts(runs, s, metrics)...)
		summaries = append(summaries, s.Summary)
	}
	t.Interval = report.Interval(t, report.Drawn(summaries[0]), report.FewestScenes(c.scope, summaries...))
	if slices.ContainsFunc(runs, func(s *shown) bool { return !slices.Equal(s.Summary.Evaluated(), runs[0].Summary.Evaluated()) }) {
		t.Tell(fact.New(fact.OtherScenes))
	}
	if c.sweep == "" && slices.ContainsFunc(runs, func(s *shown) bool { return !fold.SameProtocol(s.Config, runs[0].Config) }) {
		t.Tell(fact.New(fact.OtherProtocols))
	}
	absent = slices.DeleteFunc(absent, func(name string) bool { // of another scope
		return c.scope != scope.All && len(c.columns) == 0 && catalogue.Of(name).Category != ""
	})
	if c.scope != scope.All && (c.sort == "time" || slices.Contains(c.columns, "time")) {
		absent = append(absent, "time")
	}
	if (c.selects() || c.published) && len(absent) > 0 {
		t.Tell(fact.New(fact.NotComputed).Naming("metrics", absent...))
	}
	if c.ranked && slices.Contains(metrics, catalogue.Of(catalogue.MAP)) {
		if err := t.SortBy(catalogue.MAP); err != nil {
			return nil, err
		}
	}
	if !c.forPrograms() {
		t.GroupRows()
	}
	t.Tell(c.unchanged(runs, columns)...)
	return t, c.arrangeRows(t)
}

// describe sets the title, the caption and the set-up of a table of some lines, and returns the
// legend of their descriptors.
func (c *resultsChoice) describe(t *table.Table, runs []*shown, lines []report.Line, metrics []*catalogue.Metric) (legend compare.Legend) {
	var names []string
	var scenes, protocols spelling.Groups // runs
	of := runs
	for _, s := range runs {
		names = append(names, s.Title())
		scenes.Add(compare.ScenesBehind(s.Outcome).String(), s.label)
		if c.sweep == "" {
			protocols.Add(fold.Protocol(s.Config), s.label)
		}
	}
	if c.sweep != "" { // whose evaluations have the same descriptors
		of, names = runs[:1], []string{names[0] + " by " + c.sweep}
	}
	for _, s := range of {
		name := func(descriptor string) string { return named(of, s, descriptor) }
		legend = append(legend, compare.NewLegend(s.Outcome, name, func(descriptor string) bool {
			return c.sweep != "" || slices.ContainsFunc(lines, func(l report.Line) bool { return l.Name == name(descriptor) })
		})...)
		for _, sentence := range fold.Setup(s.Config, metrics...) {
			if !slices.Contains(t.Setup, sentence) {
				t.Setup = append(t.Setup, sentence)
			}
		}
	}
	var chosen []*catalogue.Metric
	if len(c.columns) > 0 {
		chosen = metrics
	}
	t.Title = report.Subject(c.table, chosen) + " of " + spelling.Few(names, 3)
	if c.scope != scope.All {
		t.Title += ", " + report.ScopeWords(c.scope)
	}
	for _, groups := range []spelling.Groups{scenes, protocols} {
		for _, text := range groups.Texts {
			if len(groups.Texts) > 1 {
				text += " (" + spelling.Few(groups.Of[text], 3) + ")"
			}
			t.Caption = append(t.Caption, text)
		}
	}
	if matches := legend.Matches(metrics...); runs[0].Config.Preset() == nil {
		t.Caption = append(t.Caption, matches...)
	} else {
		t.Setup = append(t.Setup, matches...)
	}
	t.Setup = append(t.Setup, legend.Setup()...)
	if p := runs[0].Config.Preset(); p != nil {
		t.Setup = append(t.Setup, titlesOf(p, metrics)...)
	}
	t.Tell(legend.Facts(metrics...)...)
	return legend
}

// titlesOf says in a sentence which metrics of a preset have another title in papers.
func titlesOf(p *config.Preset, metrics []*catalogue.Metric) []string {
	var titles []string
	for _, m := range p.Metrics {
		if m.Paper != "" && m.Paper != m.Title && slices.Contains(metrics, catalogue.Of(m.Name)) {
			titles = append(titles, m.Paper+" is their "+m.Title)
		}
	}
	if titles == nil {
		return nil
	}
	return []string{report.Listed(titles)}
}

// facts returns the facts about one of several runs, and about some metrics of it.
func (c *resultsChoice) facts(runs []*shown, s *shown, metrics []*catalogue.Metric) (list []fact.Fact) {
	shown := s.Config.Only(func(name string) bool {
		return slices.ContainsFunc(s.Summary.Descriptors, func(d store.SummaryDescriptor) bool { return d.Name == name })
	})
	own := slices.Concat(report.Failures(s.Summary), concerned(s.Summary, metrics), report.LackingScenes(s.Summary), fold.PresetDeviations(shown, s.Summary.Evaluated(), c.scope))
	draws := map[string]int{"estimator_draws": s.Config.Evaluation.EstimatorDraws, "pose_draws": s.Config.Evaluation.PoseDraws}
	if i := slices.IndexFunc(metrics, func(m *catalogue.Metric) bool { return draws[m.Needs] == 1 && m.Tolerant() }); i >= 0 {
		own = append(own, fact.New(fact.SingleDraw).Naming("key", metrics[i].Needs))
	}
	for _, f := range own {
		if f.Descriptor != "" {
			f.Descriptor = named(runs, s, f.Descriptor)
		} else if len(runs) > 1 {
			f = f.Within(s.label)
		}
		list = append(list, f)
	}
	return list
}

// concerned returns the facts of a summary about the run as a whole, or about some metrics, but for
// those about its set-up and windows, which depend on what is shown of it.
func concerned(s *store.Summary, metrics []*catalogue.Metric) []fact.Fact {
	return slices.DeleteFunc(notes.About(s.Warnings, metrics...), func(f fact.Fact) bool { return f.Kind == fact.OtherWindows || notes.Deviates(f.Kind) })
}

// name names a run in titles, which are without the folders of its author.
func name(run string) string {
	if path, err := filepath.Abs(run); err == nil {
		run = path // of "."
	}
	return filepath.Base(run)
}

// named returns a name of a descriptor of one of several runs, with that of the run if another has
// a descriptor of the same name.
func named(runs []*shown, s *shown, descriptor string) string {
	for _, other := range runs {
		if other != s && slices.ContainsFunc(other.lines, func(l report.Line) bool { return l.Name == descriptor }) {
			return fmt.Sprintf("%s:%s", s.label, descriptor)
		}
	}
	return descriptor
}
