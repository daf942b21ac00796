package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"descbench/pipeline/leaderboard"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

func newDatabaseListCommand(flags *commonFlags) *cobra.Command {
	return printsDatabase(flags, false, &cobra.Command{
		Use:   "list [DB]",
		Short: "Print the results in a SQLite file",
		Long: `List prints the results in a SQLite file, one table per protocol and set of scenes with
the newest run of each experiment and its ID, and one per protocol and benchmark of
results on patches. --wide adds when the last unit of a run was computed, and the folder
that was entered. --columns selects other metrics.
` + exitHelp,
		Example: `  descbench database list all.sqlite --all
  descbench database list patches/results.sqlite`,
	})
}

// printsDatabase completes a command that prints the database of its argument or of the
// user's settings.
func printsDatabase(flags *commonFlags, ranked bool, cmd *cobra.Command) *cobra.Command {
	var choice tableChoice
	var all bool
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			own, err := readSettings(cmd.Flags())
			if err != nil {
				return usageError{err}
			}
			if args = []string{own.text("database")}; args[0] == "" {
				return usageError{fmt.Errorf("%s: want DB, a SQLite file of results, or a database in the user defaults or DESCBENCH_DATABASE", commandName(cmd))}
			}
		}
		if err := exactArgs(1)(cmd, args); err != nil {
			return err
		}
		return printDatabase(cmd, choice, args[0], all, ranked)
	}
	choice.register(cmd, flags)
	cmd.Flags().BoolVar(&all, "all", false, "show older runs of an experiment, too")
	return cmd
}

// readDatabase returns the results in a SQLite file: of the newest run of each
// experiment, or of all runs.
func readDatabase(cmd *cobra.Command, choice tableChoice, path string, all bool) ([]store.ResultRow, error) {
	rows, err := store.ReadResults(cmd.Context(), path, store.OfAllScenes)
	if err != nil {
		return nil, &plan.DataError{Err: err}
	}
	if !all {
		rows = store.Newest(rows)
	}
	var names []string
	for i, r := range rows {
		names = append(names, leaderboard.Names(r)...)
		if r.Kind == store.Patches { // their metrics have no columns of their own
			for _, m := range r.Metrics {
				rows[i].Figures = append(rows[i].Figures, store.Figure{Name: m.Name, Value: m.Value})
			}
		}
	}
	if err := choice.checkOnly(distinct(names)); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(rows, func(r store.ResultRow) bool { return !slices.ContainsFunc(leaderboard.Names(r), choice.chosen) }), nil
}

// printDatabase prints the runs in a SQLite file, or its descriptors ranked, and how many runs
// that leaves out.
func printDatabase(cmd *cobra.Command, choice tableChoice, path string, all, ranked bool) error {
	rows, err := readDatabase(cmd, choice, path, all)
	if err != nil {
		return err
	}
	if choice.is(table.JSON) && !ranked {
		return printJSON(cmd.OutOrStdout(), append([]store.ResultRow{}, rows...)) // [], not null
	}
	words := append(choice.columns, choice.sort)
	if choice.wide {
		words = append(words, leaderboard.FolderColumn)
	}
	tables, err := leaderboard.Tables(rows, ranked, !choice.is(table.CSV) && !choice.is(table.JSON), words...)
	if err != nil {
		return plan.Faultf("%s: %w", path, err)
	}
	shown := tables[:0]
	for _, t := range tables {
		if err := choice.arrange(t.Table); err != nil {
			return err
		}
		t.ByKeypoints()
		if columns := len(t.Columns); !choice.is(table.CSV) && len(choice.columns) > 0 {
			if t.DropEmpty(); len(t.Columns) <= t.Keys && t.Keys < columns {
				continue // none of the chosen ones
			}
		}
		shown = append(shown, t)
		t.NoteColumns()
	}
	if tables = shown; choice.is(table.CSV) {
		tables = []*leaderboard.Table{{Table: leaderboard.Joined(tables)}}
	}
	parts := []json.RawMessage{}
	for i, t := range tables {
		t.DropEmpty()
		if choice.is(table.JSON) {
			var one bytes.Buffer
			if err := t.Write(&one, table.JSON, 0); err != nil {
				return err
			}
			parts = append(parts, one.Bytes())
			continue
		}
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		if err := choice.print(cmd, t.Table); err != nil {
			return err
		}
	}
	if choice.is(table.JSON) {
		return printJSON(cmd.OutOrStdout(), parts)
	}
	var remarks []string
	if len(tables) == 0 {
		remarks = append(remarks, path+": no results")
	}
	if text := leaderboard.OlderRuns(rows); text != "" {
		remarks = append(remarks, text)
	}
	return choice.printRemarks(cmd, remarks)
}
