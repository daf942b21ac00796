package main

import (
	"descbench/pipeline/patchbench"

	"github.com/spf13/cobra"
)

func newPatchesCompareCommand(flags *commonFlags) *cobra.Command {
	var opt patchbench.CompareOptions
	var choice tableChoice
	var byScene bool
	cmd := &cobra.Command{
		Use:   "compare FILE... [--baseline NAME]",
		Short: "Test which differences on the patch benchmark are significant",
		Long: `Compare compares descriptors with a baseline, sequence by sequence. It reads the metrics
that --database has stored in SQLite files and works like descbench compare on the scenes
of runs.

The value for a sequence covers its image pairs, its queries, or the patch pairs whose
first patch belongs to it. Areas under curves and average precisions of verification and
classification are computed within each sequence, so that their mean differs from the
value over all pairs, which the column pooled shows. Results are compared only if they use
the same protocol and the same patches; distances may differ.
` + exitHelp,
		Example: `  descbench patches evaluate --descriptors descriptors/sift --tasks-dir tasks --split a --database patches.sqlite
  descbench patches evaluate --descriptors descriptors/hardnet --tasks-dir tasks --split a --database patches.sqlite
  descbench patches compare patches.sqlite --baseline sift --metric patch_matching_map_h`,
		Args: someArgs("SQLite file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Only = choice.only
			found, err := patchbench.Compare(cmd.Context(), args, opt)
			if err != nil {
				return err
			}
			return printComparison(cmd, &choice, found, byScene, opt.Baseline == "")
		},
	}
	f := cmd.Flags()
	choice.register(cmd, flags)
	registerByScene(f, &byScene)
	f.StringVar(&opt.Baseline, "baseline", "", "descriptor to compare the others with (default: the first of the first file)")
	f.StringVar(&opt.Metric, "metric", "", "metric to compare, a value per sequence: matching, verification, retrieval or one of descbench metrics (default: the first task that has results)")
	f.StringVar(&opt.Benchmark, "benchmark", "", "use only results for this split or benchmark")
	f.StringVar(&opt.Protocol, "protocol", "", "use only results of this protocol")
	f.StringVar(&opt.Distance, "distance", "", "use only results computed with this distance")
	return cmd
}
