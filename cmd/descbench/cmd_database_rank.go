package main

import "github.com/spf13/cobra"

func newDatabaseRankCommand(flags *commonFlags) *cobra.Command {
	return printsDatabase(flags, true, &cobra.Command{
		Use:   "rank [DB]",
		Short: "Rank the descriptors of a shared database",
		Long: `Rank ranks all descriptors in a SQLite file (output.database) by map_macro, best
first, with 95 % intervals. There is one table per protocol and set of scenes, those of
most scenes first. Rows on the same keypoints stand together, because only they are
ranked against each other. Results on the patch benchmark (descbench patches ...
--database) have a table per benchmark and protocol. --format csv prints one table, with
the protocol as its first column.

A table shows the newest run of each experiment; a note says how many older ones there are.
` + exitHelp,
		Example: `  descbench database rank all.sqlite
  descbench database rank all.sqlite --format latex --only sift,rootsift`,
	})
}
