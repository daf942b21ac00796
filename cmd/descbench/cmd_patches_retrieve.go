package main

import (
	"errors"

	"github.com/spf13/cobra"

	"descbench/pipeline/patchbench"
	"descbench/pipeline/report"
)

func newPatchesRetrieveCommand(flags *commonFlags) *cobra.Command {
	var opt ratedOptions
	cmd := &cobra.Command{
		Use:   "retrieve --benchmark F... [--labels F...] [--results F...] [--descriptors DIR]",
		Short: "Retrieve patches and images, or evaluate retrieved patches (2016)",
		Long: `Retrieve evaluates the results of a retrieval benchmark of 2016: for each query, the
query itself and its 50 nearest neighbours in the pool of at least 51 patches. With
--descriptors and without --results it first computes the results and writes them to
results/retrieval/<descriptor>/<benchmark>.results below --out (default: the current
folder). With --descriptors, even with --results, patch indexes are checked and the
results of a random order are printed as chance. To evaluate several benchmarks and their
mean, repeat --benchmark, and --labels and --results in the same order.
` + exitHelp,
		Example: "  descbench patches retrieve --benchmark test_easy_5s_00.benchmark --descriptors descriptors/sift",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !opt.describes() && len(opt.Results) == 0 {
				return usageError{errors.New("want --results or --descriptors, or both")}
			}
			return opt.run(cmd, flags, patchbench.Retrieve)
		},
	}
	opt.register(cmd, flags, "images of the pool, then a query per line", "patch n of a sequence's images", report.RetrievalOf2016(nil, ""))
	return cmd
}
