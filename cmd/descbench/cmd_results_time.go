package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// printTimes prints where the time of runs went.
func (c *resultsChoice) printTimes(cmd *cobra.Command, runs *fold.Runs) error {
	if c.scoped {
		return usageError{fmt.Errorf("found --table %s and --scope, want one of the two", report.TimesName)}
	}
	named, err := runs.Named("--only", c.only)
	if err != nil {
		return err
	}
	if len(c.only) > 0 {
		runs.Runs = slices.DeleteFunc(runs.Runs, func(r *fold.Run) bool { return shownNames(named, r) == nil })
	}
	var tables []*table.Table
	var names []string
	for _, o := range runs.Runs {
		if o.ReadTimings(); len(o.Timings) == 0 {
			return plan.Faultf("%s: no times, which its folder times holds; copy that folder as well, or run the config again", o.Folder)
		}
		t := report.TimesTable(o)
		t.Title, t.Caption = "Time of "+o.Title(), []string{compare.ScenesBehind(o).String(), "In µs per keypoint"}
		if len(c.only) > 0 {
			t.KeepRows(shownNames(named, o))
		}
		names, tables = append(names, o.Label), append(tables, t)
	}
	c.only = nil
	return c.showEach(cmd, names, tables)
}
