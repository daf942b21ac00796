package main

import (
	"errors"

	"descbench/pipeline/patchbench"

	"github.com/spf13/cobra"
)

func newPatchesCompareCommand(flags *commonFlags) *cobra.Command {
	var opt patchbench.CompareOptions
	cmd := &cobra.Command{
		Use:   "compare FILE... --baseline NAME",
		Short: "Say which differences on the patch benchmark are real",
		Long: `Compare sets the descriptors whose figures --database entered into SQLite files
against a baseline, sequence by sequence, as descbench compare does with the
scenes of runs: difference of the means, its interval by the bootstrap over
sequences, p of the paired permutation test by sign flips, corrected by Holm,
over all sequences and those of illumination and viewpoint apart.

The figure of a sequence covers its image pairs, its queries, or the pairs of
patches whose first patch is in it. Of matching its mean over sequences is the
benchmark's figure; areas and average precisions of verification and
classification are taken within each sequence, and their mean is not the figure
over all pairs. Results are compared if they were judged by the same protocol on
the same patches; distances may differ. --benchmark, --protocol and --distance
choose among the results of a file.
` + exitHelp,
		Example: `  descbench patches evaluate --descriptors descriptors/sift --tasks-dir tasks --split a --database patches.sqlite
  descbench patches evaluate --descriptors descriptors/hardnet --tasks-dir tasks --split a --database patches.sqlite
  descbench patches compare patches.sqlite --baseline sift --metric patch_matching_map_h`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("patches compare: want at least one SQLite file")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := required("baseline", opt.Baseline); err != nil {
				return err
			}
			found, err := patchbench.Compare(cmd.Context(), args, opt)
			if err != nil {
				return err
			}
			return printComparison(cmd.OutOrStdout(), flags, found)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Baseline, "baseline", "", "descriptor that the others are compared with")
	f.StringVar(&opt.Metric, "metric", "", "figure of sequences to compare; see descbench metrics (default: the main figure of the first task that has results, patch_matching_map_mean before others)")
	f.StringVar(&opt.Benchmark, "benchmark", "", "only results of this split or benchmark")
	f.StringVar(&opt.Protocol, "protocol", "", "only results by this protocol")
	f.StringVar(&opt.Distance, "distance", "", "only results by this distance")
	f.BoolVar(&opt.Wilcoxon, "wilcoxon", false, "also print the p of Wilcoxon's signed-rank test, with its caveat")
	return cmd
}
