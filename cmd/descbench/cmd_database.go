package main

import "github.com/spf13/cobra"

func newDatabaseCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "database",
		Short: "Rank, list and remove the results in a SQLite file",
		Long: `A SQLite file of results is output.database, which collects runs and results on
patches, the results.sqlite of a run, or the file that --database of descbench patches
names.
` + exitHelp,
	}
	cmd.AddCommand(newDatabaseRankCommand(flags), newDatabaseListCommand(flags), newDatabaseForgetCommand(flags))
	return cmd
}
