package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
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

// printRun prints the results of a run as results does without flags.
func printRun(cmd *cobra.Command, flags *commonFlags, o *fold.Run) error {
	warnOfReplaced(flags, o)
	_ = o.ReadDigests() // of records that another process may be replacing, sets of other names differ
	if flags.json {
		return printOutcomeJSON(cmd.OutOrStdout(), o)
	}
	choice := wholeResults(flags.notes)
	if err := choice.printOne(cmd, o); err != nil {
		return err
	}
	printPlace(cmd.OutOrStdout(), o)
	return nil
}

// warnOfReplaced names the results that the units gave otherwise, although none of them is new.
func warnOfReplaced(flags *commonFlags, o *fold.Run) {
	if len(o.Replaced) > 0 && o.Share.Units == 0 {
		flags.logger().Warn("the results from the units differ from those that were here, and replaced them", "run", o.Folder, "files", strings.Join(o.Replaced, ", "))
	}
}

// printOne prints the results of a run: the table, what failed, the published values where
// they apply, and all warnings.
func (c *resultsChoice) printOne(cmd *cobra.Command, o *fold.Run) error {
	preset := o.Config.Preset()
	published, err := compare.Published(o)
	if err != nil {
		return err
	}
	comparable := report.Comparable(published)
	if !o.Summary.HasResults() && !c.forPrograms() {
		for _, text := range append(notes.Strings(notes.Lines(report.Failures(o.Summary))), "no results: every scene failed; see "+o.Folder) {
			fmt.Fprintln(cmd.OutOrStdout(), table.Wrap(text, table.PageWidth))
		}
		return nil
	}
	besidePublished := c.published || o.Config.Evaluation.Preset == config.Workbench
	var more []string
	switch {
	case besidePublished || o.Unstored: // results --published would show others
	case preset == nil && len(comparable) > 0:
		more = []string{"published rows: --published"}
	case preset != nil:
		covered := slices.DeleteFunc(compare.PublishedScopes(preset.Name), func(of string) bool { return len(o.Within(of).Summary.Evaluated()) == 0 })
		if slices.Contains(covered, scope.All) {
			more = []string{"published rows: --published"}
		} else if len(covered) > 0 {
			more = []string{"published rows: --published --scope " + covered[0]}
		}
	}
	if err := c.printTables(cmd, o, more); err != nil || c.forPrograms() {
		return err
	}
	if besidePublished && len(comparable) > 0 {
		fmt.Fprintln(cmd.OutOrStdout())
		t := report.PublishedTable(comparable, compare.PublishedSource)
		t.Notes = append(t.Notes, table.Notes(report.Unpublished(published)...)...)
		return c.print(cmd, t)
	}
	return nil
}

// printPlace prints what a command did for results, and where they are.
func printPlace(out io.Writer, o *fold.Run) {
	if o.Share.Units+o.Share.Resumed > 0 {
		imported := ""
		if o.Share.ImportedImages > 0 {
			imported = fmt.Sprintf(", %d imported", o.Share.ImportedImages)
		}
		fmt.Fprintf(out, "units: %d computed, %d reused; images: %d extracted, %d from cache%s\n",
			o.Share.Units, o.Share.Resumed, o.Share.ExtractedImages, o.Share.CachedImages, imported)
	}
	fmt.Fprintln(out, "results: "+o.Folder)
	if o.Database != "" {
		fmt.Fprintln(out, "database: "+o.Database)
	}
}

// unchanged tells that changed settings change no value of some columns.
func (c *resultsChoice) unchanged(runs []*fold.Run, columns []report.Selected) []fact.Fact {
	if c.before == nil {
		return nil
	}
	for _, run := range runs {
		for _, s := range run.Systems {
			before := c.before.Systems[slices.IndexFunc(c.before.Systems, func(b *fold.System) bool { return b.Descriptor == s.Descriptor })]
			for _, column := range columns {
				was, _ := before.Metric(c.scope, column.Name)
				if is, _ := s.Metric(c.scope, column.Name); was.Value != is.Value {
					return nil
				}
			}
		}
	}
	return []fact.Fact{fact.New(fact.Unchanged)}
}

// printTables prints the main table of a run; in text that of imported matches, which have
// no rankings, is another one. Programs read one table. more are the flags that show more.
func (c *resultsChoice) printTables(cmd *cobra.Command, run *fold.Run, more []string) error {
	runs, usual, matches := run.Alone(), c.usual([]*fold.Run{run}), report.MatchColumns(run.Config.Evaluation.Estimators)
	all, _ := c.lines(runs)
	rows, further := all, false
	if run.Config.Preset() == nil && len(c.columns) == 0 && imports(run) && slices.ContainsFunc(run.Systems, ranked) {
		if c.forPrograms() {
			usual = append(usual, matches[1:]...)
		} else {
			further = true
			rows = slices.DeleteFunc(slices.Clone(all), func(l report.Line) bool { _, has := l.Metrics["total_queries_processed"]; return !has })
		}
	}
	columns, err := c.selected(usual, run.MetricNames(), run.Config.Preset())
	if err != nil {
		return err
	}
	t, err := c.tableOf(runs, rows, columns)
	if err != nil {
		return err
	}
	if t.More = more; page.Outdated(run.Folder) {
		t.More = append(t.More, page.MainFile+" shows other results than the run has now: descbench report "+spelling.Shell(run.Folder))
	}
	if run.Unstored {
		t.More = append(t.More, "store these results: --out DIR")
	}
	t.Tell(report.Identical(run)...)
	if programs := run.Config.Commands(); len(programs) > 0 && run.Share.Units == 0 && run.Share.Resumed > 0 {
		t.Tell(fact.New(fact.NotCalled).Naming("programs", slices.Sorted(maps.Keys(programs))...))
	}
	if !further {
		return c.print(cmd, t)
	}
	t.More = nil
	if err := c.print(cmd, t); err != nil {
		return err
	}
	of := *c
	of.sort = ""
	second, err := of.tableOf(runs, all, matches)
	if err != nil {
		return err
	}
	second.More = more
	second.Title = "Matches"
	second.Facts = slices.DeleteFunc(second.Facts, func(f fact.Fact) bool {
		return slices.ContainsFunc(t.Facts, func(said fact.Fact) bool { return reflect.DeepEqual(f, said) })
	})
	fmt.Fprintln(cmd.OutOrStdout())
	return c.print(cmd, second)
}

// An outcomeJSON is the summary of a run with what the table has beyond it.
type outcomeJSON struct {
	*store.Summary
	Times     map[string]timeJSON `json:"times"`              // by descriptor
	Keypoints map[string]string   `json:"keypoints_of"`       // by descriptor: the first one with the same keypoints
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

// printOutcomeJSON prints the summary of a run as JSON.
func printOutcomeJSON(to io.Writer, run *fold.Run) error {
	published, err := compare.Published(run)
	if err != nil {
		return err
	}
	out := outcomeJSON{Summary: run.Summary, Database: run.Database, Times: make(map[string]timeJSON), Keypoints: make(map[string]string)}
	sets, _ := fold.KeypointSets(run.Systems)
	for i, l := range report.Lines(run, scope.All, sets) {
		out.Times[run.Systems[i].Descriptor] = timeJSON{l.Seconds, l.Cached}
	}
	for _, group := range fold.ByKeypoints(run.Systems) {
		for _, s := range group {
			out.Keypoints[s.Descriptor] = group[0].Descriptor
		}
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
	return printJSON(to, out)
}
