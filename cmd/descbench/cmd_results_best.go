package main

import (
	"math"
	"slices"

	"github.com/spf13/cobra"

	"descbench/eval/catalogue"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// printBest prints the methods of a run, each with its best setting by a metric.
func (c *resultsChoice) printBest(cmd *cobra.Command, metric string, runs *fold.Runs) error {
	run := runs.Runs[0]
	var only []string
	if named, err := runs.Named("--only", c.only); err == nil { // else, they are names of methods
		c.only, only = nil, spelling.Words(named, func(s *fold.System) string { return s.Own })
	}
	methods, found, err := compare.Best(run, metric, only)
	if err != nil {
		return err
	}
	percent := report.UnitOf(found)
	t := table.New(
		table.Titled("method", table.Words, 0), table.Titled("settings", table.Count, 0), table.Titled("best", table.Words, 0), table.Titled("estimator", table.Words, 0),
		table.Column{Name: "value", Title: metric, Unit: percent}, table.Column{Name: "left_out", Title: "left out", Full: "chosen on the others", Unit: percent, Better: found.Better},
		table.Column{Name: "chosen", Title: "chosen", Full: "settings chosen on the others", Unit: table.Count, Priority: 1}, table.Titled("scenes", table.Count, 1),
	)
	few, several, means, unit := false, 0, false, "scene"
	var systems []*fold.System
	var metrics []*catalogue.Metric
	for _, m := range methods {
		top := m.Settings[0]
		metrics = append(metrics, catalogue.Of(metric).By(top.Estimator))
		systems = append(systems, run.Systems[slices.IndexFunc(run.Systems, func(s *fold.System) bool { return s.Own == top.Descriptor })])
		left := table.Cell{}
		if !math.IsNaN(m.Honest) {
			left = table.Number(m.Honest)
		}
		few, means = few || m.Groups < 2, means || m.Means
		if m.Groups < m.Scenes {
			unit = "group"
		}
		several = max(several, len(m.Settings))
		t.Add(table.Text(m.Name), table.Integer(len(m.Settings)), table.Text(top.Descriptor), table.Text(top.Estimator), table.Number(top.Value), left, table.Integer(m.Chosen), table.Integer(m.Scenes))
	}
	t.Title, t.Runs, t.Rest = "Best setting of each method", []string{run.Title()}, " by "+metric
	t.Caption = append([]string{compare.ScenesBehind(run).String(), fold.Protocol(run.Config)}, compare.NewLegend(systems).Matches(metrics...)...)
	if several > 1 {
		t.Note("%s is that of the best of several settings, chosen on the same scenes: optimistic, the more so the more settings", metric)
		t.Note("left out: each %[1]s with the setting that is best in all other %[1]ss (leave-one-%[1]s-out); report this one", unit)
	}
	if few {
		t.Note("with a single %[1]s, no setting can be chosen on other %[1]ss", unit)
	}
	if means {
		t.Note("%s: mean over scenes, since several estimates per pair are stored as their mean", metric)
	}
	t.DropEmpty()
	t.Tell(runs.About(run, append(report.Failures(run.Summary), compare.Concerned(run.Summary, found)...)...)...)
	return c.show(cmd, t)
}
