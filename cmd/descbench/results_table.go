package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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

// tableOf returns the table of some lines of runs, with all that must stand beside its
// values: scenes, protocol, keypoints, what intervals and marks are, what is not computed.
func (c *resultsChoice) tableOf(runs []*shown, lines []report.Line, columns []report.Selected) (*table.Table, error) {
	t, absent := report.ResultsTable(lines, columns)
	var legend compare.Legend
	var names []string
	var summaries []*store.Summary
	for _, s := range runs {
		shown := func(descriptor string) string { return named(runs, s, descriptor) }
		legend.Join(compare.NewLegend(s.Outcome, func(descriptor string) bool {
			return slices.ContainsFunc(lines, func(l report.Line) bool { return l.Name == shown(descriptor) })
		}).Named(shown))
		names, summaries = append(names, name(s.Folder)), append(summaries, s.Summary)
	}
	others, folders := legend, runs // others than matches
	if c.sweep != "" {
		others, folders = compare.NewLegend(runs[0].Outcome, func(string) bool { return true }), runs[:1]
		names, t.Best = []string{names[0], c.sweep}, "of each value on the same keypoints and scenes"
	}
	var metrics []*catalogue.Metric
	for _, column := range columns {
		if !slices.Contains(absent, column.Short) {
			metrics = append(metrics, column.Metric)
		}
	}
	matches := legend.Matches(metrics...)
	lower := strings.Replace(matches, "M", "m", 1)
	about, alike, oneProtocol := captions(runs, fold.Protocol)
	formal, _, _ := captions(runs, func(cfg *config.Config) string { return fold.ProtocolOf(cfg, metrics...) })
	setup := "in " + report.ScopeWords(c.scope) + "; " + strings.Join(formal, "; ")
	separator := ";\n"
	if alike {
		setup, t.Setup, separator = onScenes(runs[0].Outcome, c.scope), fold.Setup(runs[0].Config, metrics...), "; "
	}
	var last []string
	if c.scope != scope.All {
		last = append(last, report.ScopeWords(c.scope))
	}
	if lower != "" {
		last = append(last, lower)
	}
	if !c.is(table.JSON) {
		last = append(last, "rates in %")
	}
	if last != nil {
		about = append(about, strings.Join(last, "; "))
	}
	t.Caption = strings.Join(about, separator)
	preset := runs[0].Config.Evaluation.Preset
	t.Formal = report.Formal(report.Subject(c.table), setup, string(preset))
	if c.is(table.Markdown) { // whose captions end with it
		t.Setup += "; " + matches
	}
	t.Setup += others.String()
	for i := range t.Columns {
		t.Columns[i].Unmarked = t.Columns[i].Unmarked || legend.MatchesDiffer(catalogue.Of(t.Columns[i].Name))
	}
	t.Label = strings.Join(slices.Concat(names, []string{c.table}, c.columns, []string{strings.TrimPrefix(c.scope, scope.All)}), " ")
	if p := runs[0].Config.Preset(); p != nil && len(runs) == 1 {
		t.Label += " " + p.Name
	}
	report.MarkIntervals(t, report.FewestScenes(c.scope, summaries...))
	c.noteLeftOut(t, c.left)
	if !c.forPapers() { // whose captions have it
		t.Notes = append(t.Notes, table.Notes(others.Notes()...)...)
	}
	if note := map[table.Format]string{table.CSV: lower, table.LaTeX: matches}[table.Format(c.format)]; note != "" {
		t.Note("%s", note)
	}
	for _, s := range folders {
		if note := report.ScenesNote(s.Summary); note != "" {
			t.Note("%s", told(folders, s)+note)
		}
	}
	if slices.ContainsFunc(runs, func(s *shown) bool { return !slices.Equal(s.Summary.Evaluated(), runs[0].Summary.Evaluated()) }) {
		t.Note("the runs have different scenes: do not compare values of one with those of another; descbench compare uses the shared scenes")
	}
	if !oneProtocol && c.sweep == "" {
		t.Note("the runs have different protocols: do not compare values of one with those of another")
	}
	if c.scope != scope.All && (c.sort == "time" || slices.Contains(c.columns, "time")) {
		t.Note("time is known for scope all only")
	}
	absent = slices.DeleteFunc(absent, func(name string) bool { // of another scope
		return c.scope != scope.All && len(c.columns) == 0 && catalogue.Of(name).Category != ""
	})
	if (c.selects() || c.published) && len(absent) > 0 {
		t.Note("not computed or undefined: %s", strings.Join(absent, ", "))
	}
	if c.ranked && slices.Contains(metrics, catalogue.Of(catalogue.MAP)) {
		if err := t.SortBy(catalogue.MAP); err != nil {
			return nil, err
		}
	}
	if !c.forPrograms() {
		t.GroupRows()
	}
	if err := c.arrangeRows(t); err != nil {
		return nil, err
	}
	var facts []fact.Fact
	for _, s := range runs {
		for _, f := range fact.Without(concerned(s.Summary.Warnings, columns), fact.OtherWindows) {
			if f.Descriptor != "" {
				f.Descriptor = named(runs, s, f.Descriptor)
			} else if len(runs) > 1 {
				f = f.Within(s.label)
			}
			facts = append(facts, f)
		}
		c.notePreset(t, s.Outcome, told(runs, s))
		draws := map[string]int{"estimator_draws": s.Config.Evaluation.EstimatorDraws, "pose_draws": s.Config.Evaluation.PoseDraws}
		sampled := func(m *catalogue.Metric) bool { return draws[m.Needs] == 1 && m.Tolerant() }
		if i := slices.IndexFunc(metrics, sampled); i >= 0 && !c.forPapers() {
			command := "descbench eval " + spelling.Shell(s.Folder)
			if s.Unstored {
				command = "the same command with"
			}
			t.Note("%sone draw of the estimator's samples; to see the spread of several: %s --set evaluation.%s=5", told(runs, s), command, metrics[i].Needs)
		}
	}
	if c.forPapers() {
		sentences, _ := notes.ForPaper(facts)
		t.Notes = append(t.Notes, table.Notes(sentences...)...)
	}
	if c.selects() && !c.is(table.JSON) || c.forPapers() { // else it is printed below
		t.Notes = append(t.Notes, table.Notes(notes.Texts(others.Windows())...)...)
	}
	return t, nil
}

// name names a run in labels of LaTeX, which are without the folders of its author.
func name(run string) string {
	if path, err := filepath.Abs(run); err == nil {
		run = path // of "."
	}
	return filepath.Base(run)
}

// told precedes what is said about one of several runs.
func told(runs []*shown, s *shown) string {
	return strings.TrimPrefix(prefix(runs, s)+" ", " ")
}

// named returns a name of a descriptor of one of several runs, with that of the run if another has
// a descriptor of the same name.
func named(runs []*shown, s *shown, descriptor string) string {
	for _, other := range runs {
		if other != s && slices.ContainsFunc(other.lines, func(l report.Line) bool { return l.Name == descriptor }) {
			return prefix(runs, s) + descriptor
		}
	}
	return descriptor
}

// prefix names one of several runs.
func prefix(runs []*shown, s *shown) string {
	if len(runs) < 2 {
		return ""
	}
	return s.label + ":"
}

// noteLeftOut says that the best values of a table are not those of all descriptors.
func (c *tableChoice) noteLeftOut(t *table.Table, all []string) {
	left := slices.DeleteFunc(slices.Clone(all), c.chosen)
	t.Marks = append(t.Marks, func(printed *table.Table) string {
		without := strings.Join(left, ", ")
		if len(left) > 3 {
			without = fmt.Sprintf("%d others", len(left))
		}
		if _, _, best := printed.Shows(); best == 0 || len(left) == 0 {
			return ""
		}
		return "best of those shown, without " + without
	})
}

// concerned returns the facts about the run as a whole, or about metrics of the columns, but for
// those that stand in captions or notes.
func concerned(facts []fact.Fact, columns []report.Selected) []fact.Fact {
	metrics := make([]*catalogue.Metric, len(columns))
	for i, c := range columns {
		metrics[i] = c.Metric
	}
	return slices.DeleteFunc(notes.About(facts, metrics...), func(f fact.Fact) bool { return f.Kind == fact.FailedScenes || notes.Deviates(f.Kind) })
}

// concerning returns the warnings about some metrics of a run, in JSON also the facts that ask for
// no action.
func (c *tableChoice) concerning(s *store.Summary, columns []report.Selected) []fact.Fact {
	return slices.DeleteFunc(concerned(s.Warnings, columns), func(f fact.Fact) bool { return notes.IsNote(f.Kind) && !c.is(table.JSON) })
}

// concerns returns notes about what is concerning; for programs also about the failed scenes, which
// a caption names.
func (c *tableChoice) concerns(s *store.Summary, columns []report.Selected) []table.Note {
	lines := c.facts(c.concerning(s, columns), len(s.Descriptors))
	if c.forPrograms() {
		lines = append(lines, c.failures(s)...)
	}
	return lines
}
