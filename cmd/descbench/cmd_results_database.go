package main

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"descbench/pipeline/leaderboard"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// readDatabase returns the results in a SQLite file: of the newest run of each
// experiment, or of all runs.
func readDatabase(cmd *cobra.Command, path string, all bool) ([]store.ResultRow, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &plan.DataError{Err: err}
	}
	if info.IsDir() {
		return nil, plan.Faultf("%s is a folder, want a SQLite file of results, such as output.database or results.sqlite in a run folder", path)
	}
	rows, err := store.ReadResults(cmd.Context(), path, leaderboard.Selection)
	if err != nil {
		return nil, &plan.DataError{Err: err}
	}
	if !all {
		rows = store.Newest(rows)
	}
	for i, r := range rows {
		if r.Kind == store.Patches { // their metrics have no columns of their own
			for _, m := range r.Metrics {
				rows[i].Figures = append(rows[i].Figures, store.Figure{Name: m.Name, Value: m.Value})
			}
		}
	}
	return rows, nil
}

// printDatabase prints the runs in a SQLite file.
func printDatabase(cmd *cobra.Command, choice resultsChoice, path string, all bool) error {
	rows, err := readDatabase(cmd, path, all)
	if err != nil {
		return err
	}
	var names []string
	for _, r := range rows {
		names = append(names, r.Descriptor)
	}
	if err := choice.checkOnly(names); err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r store.ResultRow) bool { return !choice.chosen(r.Descriptor) })
	if choice.is(table.JSON) {
		return printJSON(cmd.OutOrStdout(), rows)
	}
	tables, err := leaderboard.Runs(rows)
	if err != nil {
		return plan.Faultf("%s: %w", path, err)
	}
	for _, t := range tables {
		if err := choice.arrange(t); err != nil {
			return err
		}
	}
	return printTables(cmd.OutOrStdout(), path, tables, rows, table.Format(choice.format), choice.width())
}

// printTables prints the tables of a database, and how many runs they leave out.
func printTables(out io.Writer, path string, tables []*table.Table, rows []store.ResultRow, format table.Format, width int) error {
	people := format != table.CSV && format != table.JSON
	if len(tables) == 0 && people {
		_, err := fmt.Fprintf(out, "%s: no results\n", path)
		return err
	}
	for i, t := range tables {
		if i > 0 {
			if _, err := fmt.Fprintln(out); err != nil {
				return err
			}
		}
		if err := t.Write(out, format, width); err != nil {
			return err
		}
	}
	if text := leaderboard.OlderRuns(rows); text != "" && people {
		_, err := fmt.Fprintln(out, text)
		return err
	}
	return nil
}
