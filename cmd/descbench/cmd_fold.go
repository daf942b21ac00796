package main

import (
	"cmp"
	"errors"

	"descbench/pipeline/fold"
	"descbench/pipeline/plan"

	"github.com/spf13/cobra"
)

func newFoldCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "fold RUN",
		Short: "Compute the results of a complete run from its units",
		Long: `Fold reads the units that one or more processes computed (descbench run --shard)
and writes queries.parquet, pairs.parquet, metrics.csv, summary.json and
results.sqlite to the run folder, and their checksums to SHA256SUMS. It fails if
scenes are missing.
` + exitHelp,
		Example: "  descbench fold runs/descriptor-variants",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			outcome, err := fold.Fold(cmd.Context(), plan.Folder(args[0]))
			var failed *plan.FailedScenesError
			if err != nil && !errors.As(err, &failed) {
				return err
			}
			if perr := cmp.Or(printRun(cmd, flags, outcome), suggestReport(cmd.OutOrStdout(), flags, outcome.Folder)); perr != nil {
				return perr
			}
			return err
		},
	}
}
