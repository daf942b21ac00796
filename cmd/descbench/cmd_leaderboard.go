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
)

func newLeaderboardCommand(flags *commonFlags) *cobra.Command {
	var all, wide bool
	format := string(table.AsText)
	cmd := &cobra.Command{
		Use:   "leaderboard DB",
		Short: "Rank the descriptors of a shared database",
		Long: `Leaderboard ranks all descriptors in a SQLite file (output.database) by
true_map_macro_by_scene, best first, with 95 % intervals. There is one table per
protocol and set of scenes: values in the same table can be compared. Results on
the patch benchmark (descbench patches ... --database) stand beside those on
sequences of the descriptor of the same name; the lines below the table name their
protocols.

It shows the newest run of each experiment, and says how many older ones there are.
` + exitHelp,
		Example: `  descbench leaderboard all.sqlite
  descbench leaderboard all.sqlite --format latex`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(table.Formats(), table.Format(format)) {
				return usageError{fmt.Errorf("--format %s: want one of %v", format, table.Formats())}
			}
			rows, err := readDatabase(cmd, args[0], all)
			if err != nil {
				return err
			}
			tables, err := leaderboard.Ranking(rows)
			if err != nil {
				return plan.Faultf("%s: %w", args[0], err)
			}
			if flags.json || format == string(table.JSON) {
				return printTablesJSON(cmd, tables)
			}
			width := table.PageWidth
			if wide {
				width = 0
			}
			return printTables(cmd.OutOrStdout(), args[0], tables, rows, table.Format(format), width)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&all, "all", false, "rank older runs of an experiment, too")
	f.BoolVar(&wide, "wide", false, "print all columns, however wide the table gets")
	f.StringVar(&format, "format", format, "text, markdown, latex, csv or json")
	return cmd
}

// printTablesJSON prints a list of tables.
func printTablesJSON(cmd *cobra.Command, tables []*table.Table) error {
	list := []json.RawMessage{}
	for _, t := range tables {
		var one bytes.Buffer
		if err := t.Write(&one, table.JSON, 0); err != nil {
			return err
		}
		list = append(list, one.Bytes())
	}
	return printJSON(cmd.OutOrStdout(), list)
}
