package main

import (
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// tableOf returns the table of some lines of runs, with all that a reader of its values must know.
func (c *resultsChoice) tableOf(runs *fold.Runs, lines []report.Line, columns []report.Selected) (*table.Table, error) {
	t, absent := report.ResultsTable(lines, columns)
	if c.table == report.SetsName {
		t = report.SetsTable(runs.Systems, lines, columns[0])
	}
	var metrics []*catalogue.Metric
	for _, column := range columns {
		if !slices.Contains(absent, column.Short) {
			metrics = append(metrics, column.Metric)
		}
	}
	legend := c.describe(t, runs, lines, metrics)
	for i := range t.Columns {
		metric := catalogue.Of(t.Columns[i].Name)
		if c.table == report.SetsName {
			metric = metrics[0]
		}
		t.Columns[i].Unmarked = t.Columns[i].Unmarked || legend.MatchesDiffer(metric)
	}
	t.Tell(compare.Facts(runs, c.scope, metrics...)...)
	t.Interval = report.Interval(t, report.Drawn(runs.Runs[0]), report.FewestScenes(c.scope, runs.Runs...))
	first := runs.Runs[0]
	if c.sweep == "" && slices.ContainsFunc(runs.Runs, func(run *fold.Run) bool { return !fold.SameProtocol(run.Config, first.Config) }) {
		t.Tell(fact.New(fact.OtherProtocols))
	}
	absent = slices.DeleteFunc(absent, func(name string) bool { // of depth, of another scope, or not of all scenes either
		m := catalogue.Of(name)
		return len(c.columns) == 0 && (m.Name == "known" || c.scope != scope.All && (m.Category != "" || !slices.ContainsFunc(runs.Runs, func(r *fold.Run) bool { return slices.Contains(r.MetricNames(), m.Name) })))
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
	return t, c.sortRows(t)
}

// describe sets the title, the caption and the set-up of a table of some lines, and returns the
// legend of their descriptors.
func (c *resultsChoice) describe(t *table.Table, runs *fold.Runs, lines []report.Line, metrics []*catalogue.Metric) compare.Legend {
	var names []string
	var scenes, protocols spelling.Groups // runs
	for _, run := range runs.Runs {
		names = append(names, run.Title())
		scenes.Add(compare.ScenesBehind(run).String(), run.Label)
		if c.sweep == "" {
			protocols.Add(fold.Protocol(run.Config), run.Label)
		}
	}
	t.Setup = compare.Setup(runs, metrics...)
	systems := slices.DeleteFunc(slices.Clone(runs.Systems), func(s *fold.System) bool {
		return !slices.ContainsFunc(lines, func(l report.Line) bool { return l.Name == s.Name })
	})
	preset := runs.Runs[0].Config.Preset()
	if c.sweep != "" { // whose evaluations have the same descriptors
		names = []string{names[0] + " by " + c.sweep}
		if !strings.HasPrefix(c.sweep, "matcher") { // whose matches differ
			systems = runs.Runs[0].Systems
			(&fold.Runs{Systems: systems}).Show(systems) // without the names of the evaluations
		}
	}
	legend := compare.NewLegend(systems)
	runs.Show(runs.Systems)
	var chosen []*catalogue.Metric
	if len(c.columns) > 0 {
		chosen = metrics
	}
	if t.Title, t.Runs = report.Subject(c.table, chosen), names; c.scope != scope.All {
		t.Rest = ", " + report.ScopeWords(c.scope)
	}
	for _, groups := range []spelling.Groups{scenes, protocols} {
		for _, text := range groups.Texts {
			if len(groups.Texts) > 1 {
				text += " (" + spelling.Few(groups.Of[text], 3) + ")"
			}
			t.Caption = append(t.Caption, text)
		}
	}
	if matches := legend.Matches(metrics...); preset == nil {
		t.Caption = append(t.Caption, matches...)
	} else {
		t.Setup = append(t.Setup, matches...)
	}
	t.Setup = append(t.Setup, legend.Setup()...)
	if preset != nil {
		t.Setup = append(t.Setup, titlesOf(preset, metrics)...)
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
