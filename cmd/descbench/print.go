package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
	"descbench/pipeline/page"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// printJSON prints v as indented JSON.
func printJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// printRun prints the results of a run as results does without flags, also into its README.txt.
func printRun(cmd *cobra.Command, flags *commonFlags, o *fold.Outcome) error {
	if err := writeReadme(cmd, o); err != nil {
		return err
	}
	choice := resultsChoice{tableChoice: tableChoice{format: string(table.AsText), digits: unitDigits}}
	if flags.json {
		choice.format = string(table.JSON)
	}
	return printOutcome(cmd, choice, o)
}

// warnOfReplaced names the results that the units gave otherwise.
func warnOfReplaced(flags *commonFlags, o *fold.Outcome) {
	if len(o.Replaced) > 0 {
		flags.logger().Warn("the results from the units differ from those that were here", "run", o.Folder, "files", strings.Join(o.Replaced, ", "))
	}
}

// printOutcome prints the results of a run: the table, what failed, the published
// values where they apply, and all warnings.
func printOutcome(cmd *cobra.Command, choice resultsChoice, o *fold.Outcome) error {
	published, err := choice.restrict(o)
	if err != nil {
		return err
	}
	group := o.KeypointGroup()
	lines := report.SummaryLines(o.Summary, o.Timings, group)
	preset := o.Config.Preset()
	if choice.published && preset == nil && choice.scope != scope.All {
		return usageError{fmt.Errorf("--scope does not go with --published, which prints all scopes that %s published", compare.PublishedSource)}
	}
	if choice.published && (preset != nil || published == nil) {
		return printPublished(cmd, choice, o, lines)
	}
	if choice.is(table.JSON) {
		return printJSON(cmd.OutOrStdout(), newOutcomeJSON(o, published))
	}
	comparable := report.Comparable(published)
	if choice.published && choice.is(table.CSV) { // one table in a file
		if err := choice.show(cmd, report.PublishedTable(comparable, compare.PublishedSource)); err != nil {
			return err
		}
		return choice.printRemarks(cmd, report.Unpublished(published))
	}
	if !o.Summary.HasResults() && !choice.is(table.CSV) {
		lines := append(choice.wrapped(failedLines(report.Failures(o.Summary))), "no results: every scene failed; see "+o.Folder)
		return choice.printRemarks(cmd, lines)
	}
	ranked, columns := lines, report.RankingColumns(o.Config.Evaluation.Cutoffs)
	imported := slices.ContainsFunc(o.Config.Descriptors, func(d config.Descriptor) bool { return d.Matches != nil })
	if preset != nil {
		ranked, columns, imported = lines, presetColumns(preset), false
	} else if imported {
		if ranked = withRankings(lines); len(ranked) == 0 {
			ranked, columns = lines, report.MatchColumns(o.Config.Evaluation.Estimators)
			imported = false // one table is enough
		}
	}
	if imported && choice.is(table.CSV) { // one table in a file
		ranked, columns = lines, append(columns, report.MatchColumns(o.Config.Evaluation.Estimators)[1:]...)
	}
	if len(choice.columns) > 0 {
		ranked, imported = lines, false
	}
	columns, err = choice.selected(columns, o.MetricNames(), preset)
	if err != nil {
		return err
	}
	t, absent := report.ResultsTable(ranked, columns)
	legend := compare.NewLegend("", o, choice.chosen)
	t.Caption = strings.Join([]string{scenesCaption(o), fold.Protocol(o.Config), "rates in %"}, "; ")
	t.Formal, t.Label = report.Formal(onScenes(o, scope.All)+"; "+fold.Setup(o.Config)+legend.String()), strings.Join(append([]string{o.Summary.Experiment}, choice.columns...), " ")
	if note := report.IntervalNote(t, report.FewestScenes(scope.All, o.Summary)); note != "" {
		t.Note("%s", note)
	}
	choice.noteLeftOut(t)
	choice.noteKeypoints(cmd, t, legend)
	if note := report.ScenesNote(o.Summary); note != "" {
		t.Note("%s", note)
	}
	if len(choice.columns) > 0 && len(absent) > 0 {
		t.Note("not computed or undefined: %s", strings.Join(absent, ", "))
	}
	if err := choice.arrangeRows(t); err != nil {
		return err
	}
	if preset != nil {
		t.Label += " " + preset.Name
	}
	choice.note(cmd, t, presetNotes(choice, o, t))
	if err := choice.print(cmd.OutOrStdout(), t); err != nil {
		return err
	}
	if imported && !choice.is(table.CSV) {
		if err := printMatches(cmd, choice, lines, o); err != nil {
			return err
		}
	}
	if choice.is(table.CSV) {
		return choice.printRemarks(cmd, choice.wrapped(choice.concerning(o, columns)))
	}
	besidePublished := choice.published || o.Config.Evaluation.Preset == config.Workbench
	if besidePublished && len(comparable) > 0 {
		fmt.Fprintln(cmd.OutOrStdout())
		t := report.PublishedTable(comparable, compare.PublishedSource)
		t.Label = o.Summary.Experiment + " published"
		if err := choice.print(cmd.OutOrStdout(), t); err != nil {
			return err
		}
	}
	var sentences []string
	switch {
	case besidePublished:
		sentences = report.Unpublished(published)
	case preset == nil && len(comparable) > 0:
		sentences = []string{"published results of " + compare.PublishedSource + ": descbench results --published " + o.Folder}
	case preset != nil:
		if scopes := compare.PublishedScopes(preset.Name); len(scopes) > 0 {
			covered := slices.DeleteFunc(scopes, func(of string) bool { return len(o.Within(of).Summary.Evaluated()) == 0 })
			further := ""
			if len(covered) > 0 && !slices.Contains(covered, scope.All) {
				further = " --scope " + covered[0]
			}
			if len(covered) > 0 {
				sentences = []string{"published rows of " + preset.Name + ": descbench results --published" + further + " " + o.Folder}
			}
		}
	}
	told := []string{"failed-scenes", fold.PresetWarning}
	if preset != nil {
		told = append(told, "many-ties") // about rankings, which no preset's columns show
	}
	sentences = append(sentences, warningLines(o.Summary.Warnings, len(o.Summary.Descriptors), told...)...)
	var identical []string
	for _, same := range report.Identical(o.Summary, group) {
		identical = append(identical, strings.Join(same, ", "))
	}
	if len(identical) > 0 {
		sentences = append(sentences, "note: identical results, bit by bit: "+strings.Join(identical, "; "))
	}
	if programs := o.Config.Commands(); len(programs) > 0 && o.Share.Units == 0 && o.Share.Resumed > 0 {
		sentences = append(sentences, "note: all results were here, so no program was called ("+strings.Join(slices.Sorted(maps.Keys(programs)), ", ")+
			"). If one has changed in a file that its key files does not list, list the file or raise version, and use --overwrite")
	}
	remarks := choice.wrapped(sentences)
	if o.Share.Units+o.Share.Resumed > 0 {
		imported := ""
		if o.Share.ImportedImages > 0 {
			imported = fmt.Sprintf(", %d imported", o.Share.ImportedImages)
		}
		remarks = append(remarks, fmt.Sprintf("units: %d computed, %d reused; images: %d extracted, %d from cache%s",
			o.Share.Units, o.Share.Resumed, o.Share.ExtractedImages, o.Share.CachedImages, imported))
	}
	if o.Unstored {
		return choice.printRemarks(cmd, append(remarks, "not stored: "+o.Folder+" keeps its results; --out DIR stores these"))
	}
	remarks = append(append(remarks, outdatedReport(o.Folder)...), "results: "+o.Folder)
	if o.Database != "" {
		remarks = append(remarks, "database: "+o.Database)
	}
	return choice.printRemarks(cmd, append(remarks, choice.wrapped(failedLines(report.Failures(o.Summary)))...))
}

// outdatedReport returns a warning if a run folder has a report of other results.
func outdatedReport(folder string) []string {
	if !page.Outdated(folder) {
		return nil
	}
	return []string{"warning: " + page.MainFile + " shows other results than the run has now; rerun descbench report " + spelling.Shell(folder)}
}

// printPublished prints the published rows of the preset of a run with those of the run.
func printPublished(cmd *cobra.Command, choice resultsChoice, o *fold.Outcome, lines []report.Line) error {
	p := o.Config.Preset()
	if p == nil {
		var names []string
		for _, p := range config.Presets() {
			if compare.PublishedScopes(p.Name) != nil {
				names = append(names, p.Name)
			}
		}
		return usageError{fmt.Errorf("--published: %s has no preset of a paper, and DescriptorWorkbench published nothing for its descriptors and scenes; presets with published rows: %s; descbench eval %s --set evaluation.preset=NAME --out DIR", o.Folder, strings.Join(names, ", "), o.Folder)}
	}
	rows, scopes := compare.PublishedRows(p.Name, choice.scope), compare.PublishedScopes(p.Name)
	switch {
	case len(scopes) == 0:
		return usageError{fmt.Errorf("--published: no published rows of %s are known", p.Name)}
	case rows == nil:
		return usageError{fmt.Errorf("--published: the published rows of %s are those of --scope %s", p.Name, strings.Join(scopes, " and --scope "))}
	}
	if choice.scope != scope.All {
		of, err := aboutRun(o.Folder, choice.scope)
		if err != nil {
			return err
		}
		for i := range lines {
			at := slices.IndexFunc(of.rows, func(r fold.DescriptorMetrics) bool { return r.Descriptor == lines[i].Name })
			if lines[i].Metrics = nil; at >= 0 {
				lines[i].Metrics = of.rows[at].Metrics
			}
		}
	}
	if len(choice.methods) > 0 {
		rows = slices.DeleteFunc(slices.Clone(rows), func(r report.PublishedRow) bool { return !slices.Contains(choice.methods, r.Method) })
	}
	o = o.Within(choice.scope)
	for i, d := range o.Summary.Descriptors {
		lines[i].Scenes = spelling.Count(len(d.Scenes), "scene")
	}
	columns, err := choice.selected(presetColumns(p), o.MetricNames(), p)
	if err != nil {
		return err
	}
	t := report.PublishedRowsTable(lines, columns, rows, choice.is(table.CSV) || choice.is(table.JSON))
	of := slices.DeleteFunc(dataset.SubsetOfHPatches(p.Subset()), func(scene string) bool { return !dataset.InScope(scene, choice.scope) })
	theirs := spelling.Count(len(of), "scene")
	t.Caption = fmt.Sprintf("%s, and published rows on the %s of %s; %s; rates in %%", scenesCaption(o), theirs, p.Name, report.ScopeWords(choice.scope))
	t.Formal = func(*table.Table) string {
		return fmt.Sprintf("results of this run %s, and published results on the %s of the preset; %s", onScenes(o, choice.scope), theirs, fold.Setup(o.Config)+compare.NewLegend("", o, choice.chosen).String())
	}
	t.Label = strings.Join([]string{o.Summary.Experiment, p.Name, "published", strings.TrimPrefix(choice.scope, scope.All)}, " ")
	if note := report.IntervalNote(t, report.FewestScenes(choice.scope, o.Summary)); note != "" {
		t.Note("%s", note)
	}
	if err := choice.arrangeRows(t); err != nil {
		return err
	}
	choice.note(cmd, t, presetNotes(choice, o, t))
	return choice.print(cmd.OutOrStdout(), t)
}

// presetColumns returns the columns of the metrics that the authors of a preset print.
func presetColumns(p *config.Preset) []report.Selected {
	var columns []report.Selected
	for _, m := range p.Metrics {
		c := report.MetricColumns([]string{m.Name})[0]
		if c.Title = m.Title; report.IsShare(m.Name) {
			c.Title += " %"
		}
		columns = append(columns, c)
	}
	return columns
}

// presetNotes says which preset of a paper a run names and how it deviates, nil without
// any: in one sentence, or for CSV in a line each. LaTeX has the metrics of titles, too.
func presetNotes(choice resultsChoice, o *fold.Outcome, t *table.Table) []string {
	p := o.Config.Preset()
	if p == nil {
		return nil
	}
	var notes []string
	switch {
	case choice.is(table.CSV):
		for _, deviation := range o.Deviations(choice.chosen) {
			notes = append(notes, fmt.Sprintf("# deviation from preset %s (%s): %s", p.Name, p.Source(), deviation))
		}
		return notes
	case choice.is(table.LaTeX):
		var titles []string
		for _, c := range t.Columns {
			title, name := strings.TrimSuffix(c.Title, " %"), catalogue.Short(c.Name)
			if c.Unit != table.Words && !strings.EqualFold(title, name) {
				titles = append(titles, title+" is "+name)
			}
		}
		if len(titles) > 0 {
			notes = []string{strings.Join(titles, ", ")}
		}
	}
	return append(notes, o.PresetNote(choice.chosen))
}

// note adds notes to a table, or prints them as comments above CSV.
func (c *resultsChoice) note(cmd *cobra.Command, t *table.Table, notes []string) {
	for _, note := range notes {
		if c.is(table.CSV) {
			fmt.Fprintln(cmd.OutOrStdout(), note)
		} else {
			t.Note("%s", note)
		}
	}
}

// withRankings returns the lines of descriptors; imported matches have no rankings.
func withRankings(lines []report.Line) []report.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l report.Line) bool {
		_, ranked := l.Metrics["total_queries_processed"]
		return !ranked
	})
}

// printMatches prints the table of the metrics that imported matches have, too.
func printMatches(cmd *cobra.Command, choice resultsChoice, lines []report.Line, o *fold.Outcome) error {
	t, _ := report.ResultsTable(lines, report.MatchColumns(o.Config.Evaluation.Estimators))
	t.Caption = "matches; rates in %"
	t.Formal, t.Label = report.Formal(onScenes(o, scope.All)+"; "+fold.Setup(o.Config)+compare.NewLegend("", o, choice.chosen).String()), o.Summary.Experiment+" matches"
	if note := report.IntervalNote(t, report.FewestScenes(scope.All, o.Summary)); note != "" {
		t.Note("%s", note)
	}
	fmt.Fprintln(cmd.OutOrStdout())
	return choice.print(cmd.OutOrStdout(), t)
}

// restrict restricts results to the chosen descriptors, and returns what is published
// about them. --only takes methods of published rows, too: descriptors are restricted if it
// names any, and so are methods.
func (c *resultsChoice) restrict(o *fold.Outcome) ([]report.Published, error) {
	out := *o.Summary
	out.Descriptors, out.Warnings = []store.SummaryDescriptor{}, []store.SummaryWarning{}
	var names, methods []string
	for _, d := range o.Summary.Descriptors {
		names = append(names, d.Name)
	}
	if p := o.Config.Preset(); c.published && p != nil {
		for _, r := range compare.PublishedRows(p.Name, c.scope) {
			methods = append(methods, r.Method)
		}
	}
	if err := c.checkOnly(distinct(slices.Concat(names, methods))); err != nil {
		return nil, err
	}
	within := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(c.only), func(name string) bool { return !slices.Contains(list, name) })
	}
	c.only, c.methods = within(names), within(methods)
	c.all = names
	for _, d := range o.Summary.Descriptors {
		if c.chosen(d.Name) {
			out.Descriptors = append(out.Descriptors, d)
		}
	}
	for _, w := range o.Summary.Warnings {
		if w.Descriptor == "" || c.chosen(w.Descriptor) {
			out.Warnings = append(out.Warnings, w)
		}
	}
	o.Summary = &out
	return compare.Published(o)
}

// An outcomeJSON is the summary of a run with what the table has beyond it.
type outcomeJSON struct {
	*store.Summary
	Times     map[string]timeJSON `json:"times"`              // by descriptor
	Database  string              `json:"database,omitempty"` // that the run was entered into
	Published []report.Published  `json:"published,omitempty"`
	// Unpublished lists descriptors of a kind with published results, but with another
	// detector or other parameters.
	Unpublished []unpublishedJSON `json:"unpublished,omitempty"`
}

type unpublishedJSON struct {
	Descriptor  string   `json:"descriptor"`
	Nearest     string   `json:"nearest_published"`
	Differences []string `json:"differences"`
}

type timeJSON struct {
	Seconds float64 `json:"seconds"`
	Cached  string  `json:"cached,omitempty"`
}

func newOutcomeJSON(o *fold.Outcome, published []report.Published) outcomeJSON {
	out := outcomeJSON{Summary: o.Summary, Database: o.Database, Times: make(map[string]timeJSON)}
	for _, l := range report.SummaryLines(o.Summary, o.Timings, o.KeypointGroup()) {
		out.Times[l.Name] = timeJSON{l.Seconds, l.Cached}
	}
	for _, p := range published {
		if p.Another != nil {
			out.Unpublished = append(out.Unpublished, unpublishedJSON{p.Descriptor, p.Name, p.Another})
			continue
		}
		p.Measured = maps.Clone(p.Measured)
		maps.DeleteFunc(p.Measured, func(name string, _ float64) bool { _, there := p.Published[name]; return !there })
		p.Deviations = append([]string{}, p.Deviations...) // [] in JSON, not null
		out.Published = append(out.Published, p)
	}
	return out
}

// scenesCaption names the experiment and the scenes of a run.
func scenesCaption(o *fold.Outcome) string {
	return o.Title() + ": " + compare.ScenesBehind(o)
}

// onScenes says on which scenes there are results, as papers do, and in which scope.
func onScenes(o *fold.Outcome, in string) string {
	text := "on " + strings.TrimPrefix(compare.ScenesBehind(o), fmt.Sprintf("%d of ", o.Summary.ScenesRequested)) // unless some are missing
	if in != scope.All {
		text = "in " + report.ScopeWords(in) + ", " + text
	}
	return text
}

// failedLines lists the failed scenes with their reasons, those with the same one in one
// line.
func failedLines(failures []report.Failure) []string {
	const most = 10
	lines := report.GroupedFailures(failures)
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("FAILED: %d more reasons (--json lists all)", more))
	}
	return lines
}

// notes are the kinds of warnings that ask for no action.
var notes = []string{"few-scenes", "left-out", "scene-images"}

// warningLines returns each warning once, but for those of kinds that are told
// elsewhere, and notes after them. descriptors is their total number.
func warningLines(warnings []store.SummaryWarning, descriptors int, but ...string) []string {
	var lines []string
	for _, prefix := range []string{"warning: ", "note: "} {
		told := slices.DeleteFunc(slices.Clone(warnings), func(w store.SummaryWarning) bool {
			return slices.Contains(but, w.Kind) || slices.Contains(notes, w.Kind) != (prefix == "note: ")
		})
		for _, text := range report.GroupedWarnings(told, descriptors) {
			if prefix == "note: " {
				text = strings.TrimPrefix(text, "all descriptors: ")
			}
			lines = append(lines, prefix+text)
		}
	}
	return lines
}
