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
		Short: "Say which differences between descriptors are real",
		Long: `Compare sets every descriptor of finished runs against a baseline, scene by
scene: difference of the means over scenes, its interval, p, effect size (d_z,
the mean difference over the standard deviation of differences), in how many
scenes it wins, ties (within 1e-6) and loses; all scenes, viewpoint and
illumination apart; and the scenes that decide.

The scene is the unit, since queries of one scene are not independent. p is that
of the paired permutation test by sign flips (all of them for up to 20 scenes,
else 100 000 random ones, seed 1), corrected by Holm over all rows. A difference
that is not significant at 5 % is marked ~. With fewer than 6 scenes none can be.

Several runs are compared on the scenes that they share, of the same name and
the same images and homographies, if they were judged by the same protocol; what
is left out is said. --set evaluation.ties=mean, for example, computes all runs
again from their records first. Where several runs have a descriptor of one
name, it is called RUN:descriptor.
` + exitHelp,
		Example: `  descbench compare runs/demo --baseline sift
  descbench compare runs/a runs/b --baseline a:sift --metric precision_at_1 --wilcoxon`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("compare: want at least one run folder")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if opt.Baseline == "" {
				return usageError{errors.New("compare: want --baseline NAME, the descriptor that the others are compared with")}
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
	f.StringVar(&opt.Baseline, "baseline", "", "descriptor that the others are compared with: NAME or RUN:NAME")
	f.StringVar(&opt.Metric, "metric", "true_map_macro_by_scene", "figure of scenes to compare; see descbench metrics")
	f.BoolVar(&opt.Wilcoxon, "wilcoxon", false, "also print the p of Wilcoxon's signed-rank test, with its caveat")
	flags.addSet(f, "compute all runs again under another value, e.g. evaluation.ties=mean")
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
