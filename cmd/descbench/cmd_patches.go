package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"descbench/eval/patches"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report/table"
)

func newPatchesCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "patches",
		Short: "Evaluate descriptors on the HPatches patch benchmark",
		Long: `The HPatches patch benchmark (Balntas, Lenc, Vedaldi, Mikolajczyk, CVPR 2017)
evaluates descriptors of 65×65 px patches. Descriptors are read from
<descriptor>/<sequence>/<image>.csv, one line per patch, with values separated by
commas, semicolons, tabs or blanks.

extract and tasks build such a benchmark from any scenes; tasks --edition 2016 writes
the files that classify, match and retrieve read. These compute results from
descriptors, evaluate existing results, or both.`,
	}
	addGroup(cmd, "Prepare:", newPatchesExtractCommand(flags), newPatchesTasksCommand(flags), newPatchesDescribeCommand(flags), newPatchesCheckCommand(flags))
	addGroup(cmd, "Evaluate:", newPatchesEvaluateCommand(flags), newPatchesCompareCommand(flags))
	addGroup(cmd, "Evaluate the tasks of the first edition, 2016:", newPatchesClassifyCommand(flags), newPatchesMatchCommand(flags), newPatchesRetrieveCommand(flags))
	return cmd
}

// ratedOptions are the flags of match and retrieve.
type ratedOptions struct {
	originalFlags
	patchbench.Files
}

// register registers the flags. example is a table without rows.
func (o *ratedOptions) register(cmd *cobra.Command, flags *commonFlags, content, unlabelled string, example *table.Table) {
	fs := cmd.Flags()
	fs.StringArrayVar(&o.Benchmarks, "benchmark", nil, ".benchmark file: "+content+" (repeatable)")
	fs.StringArrayVar(&o.Labels, "labels", nil, ".labels file of the benchmark (default: "+unlabelled+")")
	fs.StringArrayVar(&o.Results, "results", nil, "evaluate this .results file (repeatable: those of one descriptor, then those of the next)")
	requires(fs, "benchmark")
	o.originalFlags.register(cmd, flags, "the mean precision-recall curves", example)
}

// run checks the numbers of files, evaluates benchmarks and prints the results.
func (o *ratedOptions) run(cmd *cobra.Command, flags *commonFlags, rate func(context.Context, patchbench.Original, patchbench.Files) (*patchbench.Ratings, error)) error {
	n, descriptors := len(o.Benchmarks), len(o.descriptors)
	if found := len(o.Labels); found > 0 && found != n {
		return usageError{fmt.Errorf("--labels: found %d, want one for each of the %d --benchmark files, or none", found, n)}
	}
	if found := len(o.Results); found%n != 0 || found > 0 && descriptors > 0 && found != descriptors*n {
		return usageError{fmt.Errorf("--results: found %d, want one for each of the %d --benchmark files, or none", found, n)}
	}
	for _, path := range slices.Concat(o.Benchmarks, o.Labels, o.Results) {
		if _, err := os.Stat(path); err != nil { // before anything is described
			return patches.Missing(err, path, "a file of the benchmark")
		}
	}
	if err := differentNames("benchmark", o.Benchmarks); err != nil {
		return err
	}
	return o.originalFlags.run(cmd, flags, len(o.Results) > 0, func(ctx context.Context, original patchbench.Original) (*patchbench.Ratings, error) {
		return rate(ctx, original, o.Files)
	})
}
