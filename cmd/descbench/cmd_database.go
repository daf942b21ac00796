package main

import "github.com/spf13/cobra"

func newDatabaseCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "database",
		Short: "Rank, list and remove the results in a SQLite file",
		Long: `DB is a SQLite file of results: the one that output.database of a config or
DESCBENCH_DATABASE names, which collects runs; the results.sqlite in a run folder; or the
one that --database of descbench patches names. Without DB, rank and list take the
database of the user defaults (see descbench --help) or DESCBENCH_DATABASE.
` + exitHelp,
	}
	cmd.AddCommand(newDatabaseRankCommand(flags), newDatabaseListCommand(flags), newDatabaseForgetCommand(flags))
	return cmd
}
