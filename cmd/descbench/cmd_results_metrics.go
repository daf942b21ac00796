package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// A resultsChoice holds the flags of results.
type resultsChoice struct {
	tableChoice
	table     string
	scope     string
	published bool
	methods   []string // of published rows: those that --only names
	all       []string // descriptors of the runs
}

// noteLeftOut says that the best values of a table are not those of all descriptors.
func (c *resultsChoice) noteLeftOut(t *table.Table) {
	left := slices.DeleteFunc(slices.Clone(c.all), c.chosen)
	if _, _, best := t.Shows(); best && len(left) > 0 {
		t.Note("--only leaves out %s", report.Named(left, 0))
	}
}

// noteKeypoints says which descriptors have which keypoints if they differ, where no caption
// for papers does.
func (c *resultsChoice) noteKeypoints(cmd *cobra.Command, t *table.Table, legend compare.Legend) {
	text := legend.Differ()
	switch {
	case text != "" && c.is(table.AsText):
		t.Note("%s", text)
	case text != "" && c.is(table.CSV):
		fmt.Fprintln(cmd.ErrOrStderr(), text)
	}
}

func (c *resultsChoice) register(fs *pflag.FlagSet) {
	c.tableChoice.register(fs)
	fs.StringVar(&c.table, "table", "", "table to print: "+strings.Join(report.TableNames(), ", "))
	fs.StringVar(&c.scope, "scope", "all", "scope of the metrics: all, viewpoint, illumination, k:2, scene:NAME or pair:NAME/1_3")
	excludes(fs, "columns", "table")
	fs.Lookup("columns").Usage = "show these columns, separated by commas: any metric (see descbench metrics), scenes, time"
}

// check resolves the names of columns.
func (c *resultsChoice) check(cmd *cobra.Command, flags *commonFlags) error {
	if err := c.tableChoice.check(cmd, flags); err != nil {
		return err
	}
	c.scope = scope.Canonical(c.scope)
	if c.table != "" && !slices.Contains(report.TableNames(), c.table) {
		return usageError{fmt.Errorf("--table %s: want one of %s%s", c.table, strings.Join(report.TableNames(), ", "), spelling.Hint(c.table, report.TableNames()))}
	}
	return nil
}

// selects reports whether other columns than those of the main table, or of published
// rows, are requested.
func (c *resultsChoice) selects(cmd *cobra.Command) bool {
	return !c.published && (c.table != "" || len(c.columns) > 0 || cmd.Flags().Changed("scope"))
}

// usual returns the columns of a table of runs without --columns.
func (c *resultsChoice) usual(about []runNote) []report.Selected {
	var estimators, presets []string
	for _, of := range about {
		estimators = append(estimators, of.Config.Evaluation.Estimators...)
		presets = append(presets, of.Config.Evaluation.Preset)
	}
	if c.table != "" {
		return report.MetricColumns(report.TableMetrics(c.table, distinct(estimators)))
	}
	if preset := about[0].Config.Preset(); preset != nil && len(distinct(presets)) == 1 {
		return presetColumns(preset)
	}
	return report.RankingColumns([]int{1, 5, 10})
}

// printSelected prints the requested columns of all runs in one table.
func (c *resultsChoice) printSelected(cmd *cobra.Command, runs []string) error {
	type descriptor struct {
		Run        string                  `json:"run"`
		Descriptor string                  `json:"descriptor"`
		Scope      string                  `json:"scope"`
		Metrics    store.Figures           `json:"metrics"`
		Intervals  map[string]store.Limits `json:"intervals"`
		Seconds    float64                 `json:"seconds,omitempty"`
		Failed     map[string]string       `json:"failed_scenes,omitempty"` // of the run
		Warnings   []store.SummaryWarning  `json:"warnings,omitempty"`      // about the run as a whole
	}
	var list []descriptor
	var lines []report.Line
	var names, notes []string
	var about []runNote
	var summaries []*store.Summary
	var legend compare.Legend
	var has []string
	for _, run := range runs {
		of, err := aboutRun(run, c.scope)
		if err != nil {
			return err
		}
		about, summaries = append(about, of), append(summaries, of.Summary)
		has = append(has, of.metrics()...)
	}
	columns, err := c.selected(c.usual(about), distinct(has), about[0].Config.Preset())
	if err != nil {
		return err
	}
	for i, run := range runs {
		of, prefix := about[i], ""
		if len(runs) > 1 {
			prefix = run + ": "
		}
		legend.Join(compare.NewLegend(prefix, of.Outcome, c.chosen))
		if of.note != "" {
			notes = append(notes, of.note)
		}
		for _, r := range of.rows {
			if names = append(names, r.Descriptor); !c.chosen(r.Descriptor) {
				continue
			}
			line := of.lines[r.Descriptor]
			line.Name, line.Metrics = r.Descriptor, r.Metrics
			if c.scope != scope.All { // scenes and time are those of the whole run
				line.Scenes, line.Seconds = "", 0
			}
			if len(runs) > 1 {
				line.Name, line.Group = prefix+line.Name, run+"\x00"+line.Group
			}
			lines = append(lines, line)
			one := descriptor{Run: run, Descriptor: r.Descriptor, Scope: c.scope, Metrics: store.Figures{}, Intervals: make(map[string]store.Limits), Failed: of.Summary.FailedScenes,
				Warnings: slices.DeleteFunc(slices.Clone(of.Summary.Warnings), func(w store.SummaryWarning) bool { return w.Descriptor != "" })}
			for _, column := range columns {
				m, there := r.Metrics[column.Name]
				if there {
					one.Metrics = append(one.Metrics, store.Figure{Name: catalogue.Short(column.Name), Value: m.Value})
				}
				if there && !math.IsNaN(m.Low) && !math.IsNaN(m.High) {
					one.Intervals[catalogue.Short(column.Name)] = store.Limits{m.Low, m.High}
				}
				if column.Name == "time" {
					one.Seconds = line.Seconds
				}
			}
			list = append(list, one)
		}
	}
	if err := c.checkOnly(names); err != nil {
		return err
	}
	t, absent := report.ResultsTable(lines, columns)
	nothing := len(t.Columns) == 1 && len(absent) > 0
	if nothing && len(c.columns) > 0 {
		return about[0].Lacks("--columns", absent[0], "of scope "+c.scope)
	}
	if c.is(table.JSON) {
		return printJSON(cmd.OutOrStdout(), list)
	}
	if nothing {
		lines := []string{fmt.Sprintf("scope %s: no descriptor has %s", c.scope, strings.Join(absent, ", "))}
		if c.table == "tasks" && c.scope == scope.All {
			lines = append(lines, "set evaluation.workbench_tasks or evaluation.bojanic_2019 to compute them, as configs/every_metric.yaml does")
		}
		return c.printRemarks(cmd, lines)
	}
	t.Caption = strings.Join(append(captions(about), report.ScopeWords(c.scope), "rates in %"), "; ")
	t.Formal, t.Label = formal(about, c.scope, legend), strings.Join(slices.Concat(runs, []string{c.table}, c.columns, []string{strings.TrimPrefix(c.scope, scope.All)}), " ")
	if note := report.IntervalNote(t, report.FewestScenes(c.scope, summaries...)); note != "" {
		t.Note("%s", note)
	}
	c.all = distinct(names)
	c.noteLeftOut(t)
	c.noteKeypoints(cmd, t, legend)
	if t.Notes = append(t.Notes, notes...); !sameScenes(about) {
		t.Note("the runs have different scenes: do not compare values of one with those of another; descbench compare uses the shared scenes")
	}
	if c.scope != scope.All && (c.sort == "time" || slices.Contains(c.columns, "time")) {
		t.Note("time is known for scope all only")
	}
	if len(absent) > 0 {
		text := "not computed or undefined: " + strings.Join(absent, ", ")
		if t.Note("%s", text); c.is(table.CSV) && len(c.columns) > 0 { // which has no notes
			fmt.Fprintln(cmd.ErrOrStderr(), text)
		}
	}
	if err := c.arrangeRows(t); err != nil {
		return err
	}
	for i, of := range about {
		presets := presetNotes(*c, of.Outcome, t)
		for k := range presets {
			if len(runs) > 1 && !c.is(table.CSV) {
				presets[k] = runs[i] + ": " + presets[k]
			}
		}
		c.note(cmd, t, presets)
	}
	if err := c.print(cmd.OutOrStdout(), t); err != nil {
		return err
	}
	for i, of := range about {
		lines := c.concerning(of.Outcome, columns)
		for k := range lines {
			if len(runs) > 1 {
				lines[k] = runs[i] + ": " + lines[k]
			}
		}
		if err := c.printRemarks(cmd, c.wrapped(lines)); err != nil {
			return err
		}
	}
	return nil
}

// concerning returns the warnings about a run as a whole and, if a column is a metric of
// rankings, those about rankings; for CSV, which has no caption, also the failed scenes.
func (c *resultsChoice) concerning(o *fold.Outcome, columns []report.Selected) []string {
	rankings := slices.ContainsFunc(columns, func(s report.Selected) bool { return compare.OfRankings(s.Name) })
	var warnings []store.SummaryWarning
	for _, w := range o.Summary.Warnings {
		if w.Descriptor == "" || rankings && compare.AboutRankings(w.Kind) && c.chosen(w.Descriptor) {
			warnings = append(warnings, w)
		}
	}
	lines := slices.DeleteFunc(warningLines(warnings, len(o.Summary.Descriptors), fold.PresetWarning), func(l string) bool { return !strings.HasPrefix(l, "warning: ") })
	if c.is(table.CSV) {
		lines = append(lines, failedLines(report.Failures(o.Summary))...)
	}
	return lines
}

// A runNote is what a table of several runs says about one of them.
type runNote struct {
	*fold.Outcome
	note   string                 // that descriptors differ in their scenes, or ""
	scenes []string               // evaluated for any descriptor
	lines  map[string]report.Line // by descriptor
	rows   []fold.DescriptorMetrics
}

// metrics returns the names of the metrics of all descriptors.
func (n runNote) metrics() []string {
	names := n.MetricNames()
	for _, r := range n.rows {
		names = append(names, slices.Sorted(maps.Keys(r.Metrics))...)
	}
	return names
}

// captions names the scenes and the protocol of each run, a protocol of all runs once.
func captions(about []runNote) []string {
	var parts []string
	for i, of := range about {
		parts = append(parts, scenesCaption(of.Outcome))
		if i == len(about)-1 || fold.Protocol(about[i+1].Config) != fold.Protocol(of.Config) {
			parts = append(parts, fold.Protocol(of.Config))
		}
	}
	return parts
}

// formal returns the caption of a table of runs for papers.
func formal(about []runNote, scope string, legend compare.Legend) func(*table.Table) string {
	if len(about) > 1 {
		return report.Formal("in " + report.ScopeWords(scope) + "; " + strings.Join(captions(about), "; ") + legend.String())
	}
	return report.Formal(onScenes(about[0].Outcome, scope) + "; " + fold.Setup(about[0].Config) + legend.String())
}

// sameScenes reports whether all runs have the same scenes.
func sameScenes(about []runNote) bool {
	return !slices.ContainsFunc(about, func(of runNote) bool { return !slices.Equal(of.scenes, about[0].scenes) })
}

// aboutRun reads the metrics of a run in a scope, and what a table says about it
// besides.
func aboutRun(path, scope string) (note runNote, err error) {
	run, err := fold.Read(path)
	if err != nil {
		return note, err
	}
	o := run.Outcome.Within(scope)
	note.Outcome, note.note = o, report.ScenesNote(o.Summary)
	note.scenes = o.Summary.Evaluated()
	note.lines = make(map[string]report.Line)
	for _, l := range report.SummaryLines(o.Summary, o.Timings, o.KeypointGroup()) {
		note.lines[l.Name] = l
	}
	note.rows, err = run.In(scope)
	return note, err
}
