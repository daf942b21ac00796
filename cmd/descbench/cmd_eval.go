package main

import (
	"errors"

	"descbench/pipeline/fold"
	"descbench/pipeline/plan"

	"github.com/spf13/cobra"
)

func newEvalCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval RUN",
		Short: "Recompute a run's metrics from its records",
		Long: `Eval recomputes the metrics of a finished run from queries.parquet and
pairs.parquet, without images, with other evaluation settings: tolerance (up to
10 px), ties, cut-offs. It prints the table and, with --out DIR, writes
metrics.csv and summary.json to DIR. It never changes the run.
` + exitHelp,
		Example: `  descbench eval runs/demo --set evaluation.tolerance_px=1 --set evaluation.ties=strict`,
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			outcome, err := fold.Reevaluate(cmd.Context(), args[0], flags.set, flags.out)
			var failed *plan.FailedScenesError
			if err != nil && !errors.As(err, &failed) {
				return err
			}
			if perr := printRun(cmd, flags, outcome); perr != nil {
				return perr
			}
			return err
		},
	}
	flags.addSet(cmd.Flags(), "change a value of the run's evaluation section, e.g. evaluation.tolerance_px=1")
	flags.addOut(cmd.Flags(), "folder for metrics.csv and summary.json")
	return cmd
}
