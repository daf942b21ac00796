package main

import (
	"fmt"
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
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// printPublished prints the published rows of the preset of a run with those of the run.
func (c *resultsChoice) printPublished(cmd *cobra.Command, s *shown) error {
	o, p := s.Outcome, s.Config.Preset()
	if p == nil {
		var names []string
		for _, p := range config.Presets() {
			if compare.PublishedScopes(p.Name) != nil {
				names = append(names, p.Name)
			}
		}
		return usageError{fmt.Errorf("--published: %s has no preset of a paper, and DescriptorWorkbench published nothing for its descriptors and scenes; presets with published rows: %s; descbench eval %s --set evaluation.preset=NAME --out DIR", o.Folder, strings.Join(names, ", "), o.Folder)}
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
	for i, d := range o.Summary.Descriptors {
		s.lines[i].Scenes = spelling.Count(len(d.Scenes), "scene")
	}
	columns, err := c.selected(presetColumns(p), o.MetricNames(), p)
	if err != nil {
		return err
	}
	var metrics []string
	for _, column := range columns {
		metrics = append(metrics, column.Name)
	}
	legend := compare.NewLegend("", o, c.chosen)
	matches := legend.Matches(metrics...)
	t := report.PublishedRowsTable(s.lines, columns, rows, c.is(table.CSV) || c.is(table.JSON))
	of := slices.DeleteFunc(dataset.SubsetOfHPatches(p.Subset()), func(scene string) bool { return !dataset.InScope(scene, c.scope) })
	theirs := spelling.Count(len(of), "scene")
	t.Caption = fmt.Sprintf("%s, and published rows on the %s of %s; %s", scenesCaption(o), theirs, p.Name, report.ScopeWords(c.scope))
	if matches != "" {
		t.Caption += "; " + strings.Replace(matches, "M", "m", 1)
	}
	t.Caption += "; rates in %"
	t.Formal = func(*table.Table) string {
		return fmt.Sprintf("results of this run %s, and published results on the %s of the preset; %s%s", onScenes(o, c.scope), theirs, strings.TrimSuffix(fold.Setup(o.Config)+"; "+matches, "; "), legend)
	}
	t.Label = strings.Join([]string{name(s.Folder), p.Name, "published", strings.TrimPrefix(c.scope, scope.All)}, " ")
	report.MarkIntervals(t, report.FewestScenes(c.scope, o.Summary))
	if err := c.arrangeRows(t); err != nil {
		return err
	}
	var missing []string
	for _, column := range columns {
		if estimator, _, of := strings.Cut(column.Name, "_homography_"); of && !slices.Contains(slices.Concat(missing, o.Config.Evaluation.Estimators), estimator) {
			missing = append(missing, estimator)
		}
	}
	if len(missing) > 0 {
		t.Note("this run has no estimates by %s (evaluation.estimators)", strings.Join(missing, ", "))
	}
	c.notePreset(t, o, "")
	if err := c.print(cmd, t); err != nil {
		return err
	}
	return c.printConcerns(cmd, "", o.Summary, columns)
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

// notePreset says which preset of a paper a run names and how it deviates, if it names one.
// LaTeX has the metrics of titles, too.
func (c *resultsChoice) notePreset(t *table.Table, o *fold.Outcome, prefix string) {
	if o.Config.Preset() == nil {
		return
	}
	var titles []string
	for _, column := range t.Columns {
		title, name := strings.TrimSuffix(column.Title, " %"), catalogue.Short(column.Name)
		if column.Unit != table.Words && !strings.EqualFold(title, name) {
			titles = append(titles, title+" is "+name)
		}
	}
	if all := strings.Join(titles, ", "); c.is(table.LaTeX) && all != "" {
		if strings.Contains(all, "_homography_auc@") {
			all += "; auc: area under the curve of accuracy against the corner error, higher is better"
		}
		t.Note("%s", all)
	}
	t.Note("%s", prefix+o.PresetNote(c.chosen))
}
