package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/catalogue"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// printPublished prints the published rows of the preset of runs with those of the runs.
func (c *resultsChoice) printPublished(cmd *cobra.Command, runs []*shown) error {
	p, folder := runs[0].Config.Preset(), runs[0].Folder
	if p == nil {
		var names []string
		for _, p := range config.Presets() {
			if compare.PublishedScopes(p.Name) != nil {
				names = append(names, p.Name)
			}
		}
		return usageError{fmt.Errorf("--published: %s has no preset of a paper, and DescriptorWorkbench published nothing for its descriptors and scenes; presets with published rows: %s; descbench eval %s --set evaluation.preset=NAME --out DIR", folder, strings.Join(names, ", "), folder)}
	}
	for _, s := range runs {
		if of := s.Config.Preset(); of == nil || of.Name != p.Name {
			return usageError{fmt.Errorf("--published: the preset of %s is not %s, that of %s; print each run by itself", s.Folder, p.Name, folder)}
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
	lines, has := linesOf(runs)
	columns, err := c.selected(presetColumns(p), has, p)
	if err != nil {
		return err
	}
	var names []string
	for i, l := range lines {
		names, lines[i].Source = append(names, l.Name), "this run"
	}
	all, columns, sources := report.WithPublished(lines, columns, rows, c.forPrograms())
	t, err := c.tableOf(runs, all, columns)
	if err != nil {
		return err
	}
	of, _ := fold.ScenesOfPreset(p, nil, c.scope)
	theirs := spelling.Count(len(of), "scene")
	if p.Pairs > 0 {
		theirs = spelling.Count(p.Pairs, "pair")
	}
	beside := fmt.Sprintf("published rows are on the %s of %s", theirs, p.Name)
	for _, s := range runs {
		own := s.Summary.Evaluated()
		_, others := fold.ScenesOfPreset(p, own, c.scope)
		ours := fmt.Sprintf("%d of them and %s", len(own)-len(others), spelling.Count(len(others), "other"))
		if p.Pairs > 0 {
			ours = spelling.Count(len(own), "scene")
		}
		beside += fmt.Sprintf("; %s has %s", cmp.Or(strings.TrimSuffix(prefix(runs, s), ":"), "this run"), ours)
	}
	t.Note("%s", beside)
	formal := t.Formal
	t.Formal = func(t *table.Table) string {
		own := *t
		own.Rows = slices.Clone(t.Rows)
		own.KeepRows(names)
		text := formal(&own)
		if slices.ContainsFunc(t.Rows, func(r table.Row) bool { return r.Apart }) {
			text += "; values with a letter are published"
		}
		return text
	}
	t.Label += " published"
	report.NoteSources(t, sources)
	return c.printWithConcerns(cmd, t, runs, columns)
}

// showPublished shows a table of each run next to what DescriptorWorkbench published.
func (c *resultsChoice) showPublished(cmd *cobra.Command, runs []*shown) error {
	var names []string
	var tables []*table.Table
	var remarks [][]table.Note
	for _, s := range runs {
		published, err := compare.Published(s.Outcome)
		if err != nil {
			return err
		}
		if published == nil {
			return c.printPublished(cmd, []*shown{s})
		}
		names, tables = append(names, s.label), append(tables, report.PublishedTable(report.Comparable(published), compare.PublishedSource))
		remarks = append(remarks, table.Notes(report.Unpublished(published)...))
	}
	return c.showEach(cmd, names, tables, remarks)
}

// presetColumns returns the columns of the metrics that the authors of a preset print.
func presetColumns(p *config.Preset) []report.Selected {
	var columns []report.Selected
	for _, m := range p.Metrics {
		c := report.Selected{Metric: catalogue.Of(m.Name), Title: m.Title, Full: cmp.Or(m.Paper, m.Title)}
		if c.Unit == catalogue.Share {
			c.Title, c.Full = c.Title+" %", c.Full+" %"
		}
		columns = append(columns, c)
	}
	return columns
}

// notePreset says which preset of a paper a run names and how it deviates, if it names one.
// LaTeX has the metrics of titles, too.
func (c *resultsChoice) notePreset(t *table.Table, o *fold.Outcome, prefix string) {
	if o.Config.Preset() == nil {
		return
	}
	var titles []string
	for _, column := range t.Columns {
		title, name := strings.TrimSuffix(column.Title, " %"), catalogue.Short(column.Name)
		if full := strings.TrimSuffix(column.Full, " %"); full != title && o.Config.Preset().MetricOf(title) != title {
			titles = append(titles, full+" is their "+title)
		} else if column.Unit != table.Words && !strings.EqualFold(title, name) {
			titles = append(titles, title+" is "+name)
		}
	}
	if all := strings.Join(titles, ", "); c.is(table.LaTeX) && all != "" {
		if strings.Contains(strings.ToLower(all), "auc@") {
			all += "; AUC: area under the curve of accuracy against the corner error, higher is better"
		}
		t.Note("%s", all)
	}
	shown := o.Config.Only(func(name string) bool {
		return slices.ContainsFunc(o.Summary.Descriptors, func(d store.SummaryDescriptor) bool { return d.Name == name })
	})
	words := notes.Texts
	if c.forPapers() {
		words = notes.Paper
	}
	t.Note("%s", prefix+"preset "+fold.PresetNote(shown, o.Summary.Evaluated(), c.scope, words))
}
