package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"descbench/pipeline/compare"
	"descbench/pipeline/report"
)

func newCompareCommand(flags *commonFlags) *cobra.Command {
	opt := compare.Options{}
	cmd := &cobra.Command{
		Use:   "compare RUN... --baseline NAME",
		Short: "Test which differences between descriptors are significant",
		Long: `Compare compares every descriptor of finished runs with a baseline, scene by
scene. It prints the difference of the means over scenes, its interval, p, the
effect size (d_z: mean difference divided by the standard deviation of the
differences) and the number of scenes won, tied (within 1e-6) and lost, for all
scenes, viewpoint and illumination; then the scenes with the largest differences.

The scene is the unit, since queries of one scene are not independent. p is from
the paired permutation test by sign flips (all of them for up to 20 scenes,
otherwise 100 000 random ones, seed 1), Holm-corrected over all rows. ~ marks
a difference that is not significant at 5 %. With fewer than 6 scenes no difference can be significant.

Several runs are compared on their common scenes: same name, images and
homographies. Runs with a different protocol are skipped. The output lists what
was skipped. --set evaluation.ties=mean, for example, first recomputes all runs
from their records. A descriptor name that occurs in several runs is printed as
RUN:descriptor.

RUN may be a SQLite file (output.database), which stands for the newest run of each
experiment; --runs chooses among its runs.
` + exitHelp,
		Example: `  descbench compare runs/demo --baseline sift
  descbench compare all.sqlite --runs a,b --baseline a:sift
  descbench compare runs/a runs/b --baseline a:sift --metric precision_at_1 --wilcoxon`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("compare: want at least one run folder")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if opt.Baseline == "" {
				return usageError{errors.New("compare: --baseline is missing, want the descriptor to compare with")}
			}
			opt.Set = flags.set
			found, err := compare.Runs(cmd.Context(), args, opt)
			if err != nil {
				return err
			}
			return printComparison(cmd.OutOrStdout(), flags, found)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Baseline, "baseline", "", "descriptor to compare with: NAME or RUN:NAME")
	f.StringVar(&opt.Metric, "metric", "true_map_macro_by_scene", "metric per scene to compare; see descbench metrics")
	f.StringSliceVar(&opt.Chosen, "runs", nil, "runs of a SQLite file, separated by commas: experiment (its newest run) or run ID")
	f.BoolVar(&opt.Wilcoxon, "wilcoxon", false, "also print p of Wilcoxon's signed-rank test, with its caveat")
	flags.addSet(f, "recompute all runs with another value, e.g. evaluation.ties=mean")
	return cmd
}

// printComparison prints a comparison and its warnings.
func printComparison(out io.Writer, flags *commonFlags, found *report.Comparison) error {
	if flags.json {
		return printJSON(out, found)
	}
	if err := found.Write(out); err != nil {
		return err
	}
	compared := make(map[string]bool)
	for _, r := range found.Rows {
		compared[r.Descriptor] = true
	}
	return printWarnings(out, found.Warnings, 1+len(compared))
}
