package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// printPublished prints what was published next to runs: the rows of their preset, without one those of
// DescriptorWorkbench.
func (c *resultsChoice) printPublished(cmd *cobra.Command, runs *fold.Runs) error {
	p, folder := runs.Runs[0].Config.Preset(), runs.Runs[0].Folder
	if p == nil {
		published, err := compare.Published(runs.Runs[0])
		switch {
		case err != nil:
			return err
		case c.scope != scope.All:
			return usageError{fmt.Errorf("--scope does not go with --published, which prints all scopes that %s published", compare.PublishedSource)}
		case published == nil:
			return usageError{fmt.Errorf("--published: %s has no preset, and no rows of DescriptorWorkbench match it; "+
				"docs/presets.md lists those for descbench eval %[1]s --set evaluation.preset=NAME --out DIR", folder)}
		case len(runs.Runs) > 1:
			return wantOneRun("--published without a preset", len(runs.Runs))
		}
		return c.showKept(cmd, workbenchTable(published))
	}
	for _, run := range runs.Runs {
		if of := run.Config.Preset(); of == nil || of.Name != p.Name {
			return usageError{fmt.Errorf("--published: the preset of %s is not %s, that of %s; print each run by itself", run.Folder, p.Name, folder)}
		}
	}
	rows, scopes := compare.PublishedRows(p.Name, c.scope), compare.PublishedScopes(p.Name)
	switch {
	case len(scopes) == 0:
		return usageError{fmt.Errorf("--published: no published rows of %s are known", p.Name)}
	case rows == nil:
		return usageError{fmt.Errorf("--published: the published rows of %s are those of --scope %s", p.Name, strings.Join(scopes, " and --scope "))}
	}
	if len(c.methods) > 0 {
		rows = slices.DeleteFunc(slices.Clone(rows), func(r report.PublishedRow) bool { return !slices.Contains(c.methods, r.Method) })
	}
	lines, has := c.lines(runs)
	usual := compare.PresetColumns(p)
	for _, column := range usual { // which rows have, if not runs
		has = append(has, column.Name)
	}
	columns, err := c.selected(usual, distinct(has), p)
	if err != nil {
		return err
	}
	for i := range lines {
		lines[i].Source = "this run"
	}
	all, columns, sources := report.WithPublished(lines, columns, rows, c.forPrograms())
	t, err := c.tableOf(runs, all, columns)
	if err != nil {
		return err
	}
	_, beside := compare.PublishedBeside(runs, c.scope)
	t.Note("%s", beside)
	t.Rest += " and published rows"
	report.NoteSources(t, sources)
	t.Tell(c.common...)
	return c.print(cmd, t)
}

// workbenchTable returns what DescriptorWorkbench published next to a run, and why some of it is not.
func workbenchTable(published []report.Published) *table.Table {
	t := report.PublishedTable(report.Comparable(published), compare.PublishedSource)
	t.Notes = append(t.Notes, table.Notes(report.Unpublished(published)...)...)
	return t
}
