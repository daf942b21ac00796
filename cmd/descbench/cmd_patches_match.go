package main

import (
	"errors"

	"github.com/spf13/cobra"

	"descbench/pipeline/patchbench"
	"descbench/pipeline/report"
)

func newPatchesMatchCommand(flags *commonFlags) *cobra.Command {
	var opt ratedOptions
	cmd := &cobra.Command{
		Use:   "match --benchmark F... [--labels F...] (--results F... | --descriptors DIR)",
		Short: "Match the patches of image pairs, or evaluate matches (2016)",
		Long: `Match evaluates the results of a matching benchmark of 2016: for each patch of an image,
its nearest and second nearest neighbour in another image, with distances. With
--descriptors it first computes the results and writes them to
results/matching/<descriptor>/<benchmark>.results below --out (default: the current
folder). To evaluate several benchmarks and their mean, repeat --benchmark, and --labels
and --results in the same order.
` + exitHelp,
		Example: `  descbench patches match --benchmark test_easy_illum.benchmark --descriptors descriptors/sift
  descbench patches match --benchmark test_easy_illum.benchmark --benchmark test_hard_illum.benchmark --descriptors descriptors/sift`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opt.describes() == (len(opt.Results) > 0) {
				return usageError{errors.New("want either --results or --descriptors")}
			}
			return opt.run(cmd, flags, patchbench.Match)
		},
	}
	opt.register(cmd, flags, "im_a,im_b", "patch n matches patch n", report.MatchingOf2016(nil, ""))
	return cmd
}
