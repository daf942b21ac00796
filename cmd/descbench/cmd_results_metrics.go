package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// A resultsChoice holds the flags of results.
type resultsChoice struct {
	tableChoice
	table     string
	scope     string
	published bool
	methods   []string    // of published rows: those that --only names
	common    []fact.Fact // about the runs together
	scoped    bool        // --scope is there
	ranked    bool        // rows stand by map_macro, those on the same keypoints together
	sweep     string      // KEY=VALUE,VALUE,...: the runs are one under each of these values; "": they are not
}

func (c *resultsChoice) register(cmd *cobra.Command, flags *commonFlags) {
	c.tableChoice.register(cmd, flags, "descriptor")
	fs := cmd.Flags()
	fs.Lookup("only").Usage = "show these descriptors, or those of these keypoint sets, separated by commas, such as sift or 'sift*'"
	fs.StringVar(&c.scope, "scope", "all", "scope of the metrics: all, viewpoint, illumination, k:2, the name of a scene, group or subset, or a pair such as NAME/1_3")
	fs.Lookup("columns").Usage = "show these columns, separated by commas: any metric (see descbench metrics), scenes, time"
}

// selects reports whether other columns than those of the main table, or of published
// rows, are requested.
func (c *resultsChoice) selects() bool {
	return !c.published && (c.sweep != "" || c.table != "" || len(c.columns) > 0 || c.scoped)
}

// usual returns the columns of a table of runs without --columns, which all their descriptors have:
// imported matches have no rankings, nor have pairs with cameras but without depth.
func (c *resultsChoice) usual(runs []*fold.Run) []report.Selected {
	var estimators, presets []string
	for _, run := range runs {
		estimators = append(estimators, run.Config.Evaluation.Estimators...)
		presets = append(presets, run.Config.Evaluation.Preset)
	}
	if c.table != "" {
		return report.MetricColumns(report.TableMetrics(c.table, distinct(estimators)))
	}
	if preset := runs[0].Config.Preset(); preset != nil && len(distinct(presets)) == 1 {
		return compare.PresetColumns(preset)
	}
	if slices.ContainsFunc(runs, func(run *fold.Run) bool {
		return imports(run) || run.Config.Evaluation.Posed() && !slices.ContainsFunc(run.Systems, ranked)
	}) {
		return report.MatchColumns(distinct(estimators))
	}
	return report.RankingColumns(runs[0].Config.Evaluation.Cutoffs)
}

// printTable prints the usual or requested columns of runs in one table, with further facts. more are the
// flags and commands that show more.
func (c *resultsChoice) printTable(cmd *cobra.Command, runs *fold.Runs, more []string, facts []fact.Fact) error {
	lines, has := c.lines(runs)
	if c.table == report.SetsName {
		metric, err := compare.MetricOf("--columns", strings.Join(c.columns, ","), runs)
		if err != nil {
			return err
		}
		c.columns = []string{metric.Name}
	}
	columns, err := c.selected(c.usual(runs.Runs), has, runs.Runs[0].Config.Preset())
	if err != nil {
		return err
	}
	bare, absent := report.ResultsTable(lines, columns)
	nothing := len(bare.Columns) == 1 && len(absent) > 0
	switch {
	case nothing && len(c.columns) > 0:
		return runs.Runs[0].Lacks("--columns", absent[0], c.scope)
	case nothing:
		for _, f := range fact.Only(runs.Runs[0].Summary.Warnings, fact.NoPlaces) {
			bare.Tell(fact.New(f.Kind))
		}
		bare.Note("scope %s: no descriptor has %s", c.scope, strings.Join(absent, ", "))
		if c.table == "tasks" && c.scope == scope.All {
			bare.Note("set evaluation.workbench_tasks or evaluation.bojanic_2019 to compute them, as configs/every_metric.yaml does")
		}
		if bare.Rows = nil; !c.is(table.JSON) {
			bare.Columns = nil
		}
		return c.print(cmd, bare)
	}
	t, err := c.tableOf(runs, lines, columns)
	if err != nil {
		return err
	}
	if c.sweep != "" && len(c.columns) == 0 && alike(lines, columns, len(runs.Systems)/len(runs.Runs)) {
		t.Note("no value differs between the settings of --sweep: --columns selects other columns, such as matches,mma@3")
	}
	t.More = more
	t.Tell(facts...)
	return c.print(cmd, t)
}

// alike reports whether all evaluations of a number of descriptors have the same values in some columns.
func alike(lines []report.Line, columns []report.Selected, descriptors int) bool {
	for i, l := range lines {
		for _, column := range columns {
			if l.Metrics[column.Name].Value != lines[i%descriptors].Metrics[column.Name].Value {
				return false
			}
		}
	}
	return true
}
