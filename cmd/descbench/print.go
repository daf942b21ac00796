package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
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

// printRun prints the results of a run that a command has computed, as results does without flags.
func printRun(cmd *cobra.Command, flags *commonFlags, o *fold.Run) error {
	warnOfReplaced(flags, o)
	_ = o.ReadDigests() // of records that another process may be replacing, sets of other names differ
	if flags.json {
		return printJSON(cmd.OutOrStdout(), o.Summary)
	}
	choice := resultsChoice{tableChoice: tableChoice{format: string(table.AsText), digits: unitDigits, notes: flags.notes}, scope: scope.All}
	if err := choice.printOne(cmd, o); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
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
	if o.Summary.ScenesEvaluated > 0 {
		fmt.Fprintln(out, "for a report, run: descbench report "+spelling.Shell(o.Folder))
	}
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
	besidePublished := o.Config.Evaluation.Preset == config.Workbench
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
	facts := report.Identical(o)
	if preset == nil && imports(o) && slices.ContainsFunc(o.Systems, ranked) {
		more = append(more, "mean AP of nearest neighbours: --columns map_macro")
	}
	if page.Outdated(o.Folder) {
		more = append(more, page.MainFile+" shows other results than the run has now: descbench report "+spelling.Shell(o.Folder))
	}
	if o.Unstored {
		more = append(more, "store these results: --out DIR")
	}
	if programs := o.Config.Commands(); len(programs) > 0 && o.Share.Units == 0 && o.Share.Resumed > 0 {
		facts = append(facts, fact.New(fact.NotCalled).Naming("programs", slices.Sorted(maps.Keys(programs))...))
	}
	if err := c.printTable(cmd, o.Alone(), more, facts); err != nil || c.forPrograms() {
		return err
	}
	if besidePublished && len(comparable) > 0 {
		fmt.Fprintln(cmd.OutOrStdout())
		return c.print(cmd, workbenchTable(published))
	}
	return nil
}
