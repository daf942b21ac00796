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
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/page"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// printJSON prints v as indented JSON.
func printJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// print prints what a command found: as text, or with --json as JSON, a table as all tables.
func (f *commonFlags) print(cmd *cobra.Command, asJSON any, text string, args ...any) error {
	if t, is := asJSON.(*table.Table); is && f.json {
		return t.Write(cmd.OutOrStdout(), table.JSON, 0)
	}
	if f.json {
		return printJSON(cmd.OutOrStdout(), asJSON)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), text, args...)
	return err
}

// printRun prints the results of a run as results does without flags, also into its README.txt.
func printRun(cmd *cobra.Command, flags *commonFlags, o *fold.Outcome) error {
	warnOfReplaced(flags, o)
	if err := writeReadme(cmd, o); err != nil {
		return err
	}
	if flags.json {
		return printOutcomeJSON(cmd.OutOrStdout(), showOutcome(o.Renamed()))
	}
	choice := wholeResults()
	return choice.printOne(cmd, showOutcome(o.Renamed()))
}

// warnOfReplaced names the results that the units gave otherwise.
func warnOfReplaced(flags *commonFlags, o *fold.Outcome) {
	log := flags.logger().Warn
	if o.Share.Units > 0 { // as after a scene that failed
		log = flags.logger().Info
	}
	if len(o.Replaced) > 0 {
		log("the results from the units differ from those that were here, and replaced them", "run", o.Folder, "files", strings.Join(o.Replaced, ", "))
	}
}

// printOne prints the results of a run: the table, what failed, the published values where
// they apply, and all warnings.
func (c *resultsChoice) printOne(cmd *cobra.Command, s *shown) error {
	o, preset := s.Outcome, s.Config.Preset()
	published, err := compare.Published(o)
	if err != nil {
		return err
	}
	if c.published && (preset != nil || published == nil) {
		return c.printPublished(cmd, []*shown{s})
	}
	comparable := report.Comparable(published)
	if !o.Summary.HasResults() && !c.forPrograms() {
		lines := append(c.wrapped(c.failures(o.Summary)), table.Note{Text: "no results: every scene failed; see " + o.Folder})
		return c.printRemarks(cmd, lines)
	}
	columns, err := c.printTables(cmd, s)
	if err != nil || c.forPrograms() {
		return err
	}
	besidePublished := c.published || o.Config.Evaluation.Preset == config.Workbench
	if besidePublished && len(comparable) > 0 {
		fmt.Fprintln(cmd.OutOrStdout())
		t := report.PublishedTable(comparable, compare.PublishedSource)
		t.Label = name(s.Folder) + " published"
		if err := c.print(cmd, t); err != nil {
			return err
		}
	}
	var sentences []string
	switch {
	case besidePublished:
		sentences = report.Unpublished(published)
	case o.Unstored: // results --published would show others
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
	facts := concerned(o.Summary.Warnings, columns)
	if c.forPapers() { // whose tables have the others below them
		_, facts = notes.ForPaper(facts)
	}
	sentences = append(sentences, notes.Lines(facts, len(o.Summary.Descriptors))...)
	var identical []string
	for _, same := range report.Identical(o.Summary, s.group) {
		identical = append(identical, strings.Join(same, ", "))
	}
	if len(identical) > 0 {
		sentences = append(sentences, "note: identical in every metric and rank, bit by bit, on the same keypoints: "+strings.Join(identical, "; "))
	}
	if programs := o.Config.Commands(); len(programs) > 0 && o.Share.Units == 0 && o.Share.Resumed > 0 {
		sentences = append(sentences, "note: all results were here, so no program was called ("+strings.Join(slices.Sorted(maps.Keys(programs)), ", ")+
			"). If one has changed in a file that its key files does not list, list the file or raise version, and use --overwrite")
	}
	remarks := table.Texts(c.wrapped(table.Notes(append(sentences, c.unchanged([]*shown{s}, columns)...)...)))
	if o.Share.Units+o.Share.Resumed > 0 {
		imported := ""
		if o.Share.ImportedImages > 0 {
			imported = fmt.Sprintf(", %d imported", o.Share.ImportedImages)
		}
		remarks = append(remarks, fmt.Sprintf("units: %d computed, %d reused; images: %d extracted, %d from cache%s",
			o.Share.Units, o.Share.Resumed, o.Share.ExtractedImages, o.Share.CachedImages, imported))
	}
	if o.Unstored {
		return c.printRemarks(cmd, table.Notes(append(remarks, "not stored: "+o.Folder+" keeps its results; --out DIR stores these")...))
	}
	remarks = append(append(remarks, outdatedReport(o.Folder)...), "results: "+o.Folder)
	if o.Database != "" {
		remarks = append(remarks, "database: "+o.Database)
	}
	return c.printRemarks(cmd, append(table.Notes(remarks...), c.wrapped(c.failures(o.Summary))...))
}

// unchanged says that changed settings change no value of some columns, and which they do change.
func (c *resultsChoice) unchanged(runs []*shown, columns []report.Selected) []string {
	if c.before == nil {
		return nil
	}
	changed := make(map[string]bool) // metrics
	for _, s := range runs {
		for descriptor, before := range c.before {
			for _, l := range s.lines {
				for name, m := range l.Metrics {
					was, had := before[name]
					changed[name] = changed[name] || l.Name == s.Shown(descriptor) && (!had || was.Value != m.Value)
				}
			}
		}
	}
	if slices.ContainsFunc(columns, func(s report.Selected) bool { return changed[s.Name] }) {
		return nil
	}
	maps.DeleteFunc(changed, func(_ string, is bool) bool { return !is })
	var all, names []string
	for _, d := range runs[0].Summary.Descriptors {
		for _, m := range d.Metrics {
			all = append(all, m.Name)
		}
	}
	for _, name := range append(all, slices.Sorted(maps.Keys(changed))...) {
		if changed[name] {
			names = append(names, catalogue.Short(name))
		}
	}
	if names == nil {
		return []string{"note: no metric has another value than in the run"}
	}
	return []string{"note: no column has other values than in the run; --columns shows metrics that do: " + spelling.Few(distinct(names), 4)}
}

// printTables prints the main table of a run; in text that of imported matches, which have
// no rankings, is another one. It returns the columns of the first. Programs read one table, with
// the warnings about its columns.
func (c *resultsChoice) printTables(cmd *cobra.Command, s *shown) ([]report.Selected, error) {
	usual, matches := c.usual([]*shown{s}), report.MatchColumns(s.Config.Evaluation.Estimators)
	ranked, further := s.lines, false
	if some := s.ranked(); s.Config.Preset() == nil && len(c.columns) == 0 && s.imports() && len(some) > 0 {
		if c.forPrograms() {
			usual = append(usual, matches[1:]...)
		} else {
			ranked, further = some, true
		}
	}
	columns, err := c.selected(usual, s.MetricNames(), s.Config.Preset())
	if err != nil {
		return nil, err
	}
	t, err := c.tableOf([]*shown{s}, ranked, columns)
	if err != nil {
		return nil, err
	}
	var remarks []table.Note
	if c.forPrograms() {
		remarks = c.wrapped(append(c.concerns(s.Summary, columns), table.Notes(c.unchanged([]*shown{s}, columns)...)...))
	}
	if err := c.print(cmd, t, remarks...); err != nil || !further {
		return columns, err
	}
	of := *c
	of.sort = ""
	if t, err = of.tableOf([]*shown{s}, s.lines, matches); err != nil {
		return nil, err
	}
	t.Label += " matches"
	fmt.Fprintln(cmd.OutOrStdout())
	return columns, c.print(cmd, t)
}

// outdatedReport returns a warning if a run folder has a report of other results.
func outdatedReport(folder string) []string {
	if !page.Outdated(folder) {
		return nil
	}
	return []string{"warning: " + page.MainFile + " shows other results than the run has now; rerun descbench report " + spelling.Shell(folder)}
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
