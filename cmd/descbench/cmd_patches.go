package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/eval/scope"
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

extract and tasks build such a benchmark from any scenes. describe computes
descriptors from strips, and check validates them. evaluate runs the three tasks
of 2017. classify, match and retrieve use the file formats of 2016: they compute
results from descriptors, evaluate existing results, or both. compare tests which
differences between results are significant.
` + exitHelp,
	}
	cmd.AddCommand(
		newPatchesExtractCommand(flags),
		newPatchesTasksCommand(flags),
		newPatchesDescribeCommand(flags),
		newPatchesCheckCommand(flags),
		newPatchesEvaluateCommand(flags),
		newPatchesClassifyCommand(flags),
		newPatchesMatchCommand(flags),
		newPatchesRetrieveCommand(flags),
		newPatchesCompareCommand(flags),
	)
	return cmd
}

// distanceText names the distance of results.
func distanceText(d patches.Distance) string { return string(cmp.Or(d, "as in the results")) }

// printPatchNotes prints the files written and all warnings.
func printPatchNotes(out io.Writer, written []string, warnings []scope.Warning) error {
	for _, path := range written {
		if _, err := fmt.Fprintf(out, "file: %s\n", path); err != nil {
			return err
		}
	}
	for _, w := range warnings {
		if _, err := fmt.Fprintln(out, table.Wrap("warning: "+w.Text, table.PageWidth)); err != nil {
			return err
		}
	}
	return nil
}

// ratedOptions are the flags of match and retrieve.
type ratedOptions struct {
	originalFlags
	benchmarkFlags
}

// run evaluates benchmarks and prints the results.
func (o *ratedOptions) run(cmd *cobra.Command, flags *commonFlags, rate func(context.Context, patchbench.Original, patchbench.Files) (*patchbench.Ratings, error)) error {
	if err := o.benchmarkFlags.check(len(o.descriptors)); err != nil {
		return err
	}
	if err := o.originalFlags.check(len(o.Results) > 0); err != nil {
		return err
	}
	original, err := o.open(flags)
	if err != nil {
		return err
	}
	r, err := rate(cmd.Context(), original, o.Files)
	if err != nil {
		return err
	}
	return printRated(cmd.OutOrStdout(), flags, r, len(o.Benchmarks))
}

// printRated prints a single benchmark, or several benchmarks and their mean, for
// each descriptor.
func printRated(out io.Writer, flags *commonFlags, r *patchbench.Ratings, benchmarks int) error {
	descriptors := slices.Collect(slices.Chunk(r.List, benchmarks))
	if flags.json {
		all := make([]any, len(descriptors))
		for i, list := range descriptors {
			all[i] = list[0].JSON
			if len(list) > 1 {
				all[i] = meanJSON(list, r.Means[i])
			}
		}
		if len(all) == 1 {
			return printJSON(out, all[0])
		}
		return printJSON(out, map[string][]any{"descriptors": all})
	}
	var warnings []scope.Warning
	for i, list := range descriptors {
		if i > 0 {
			fmt.Fprintln(out)
		}
		for _, b := range list {
			task := y2016.TaskName(b.Benchmark)
			fmt.Fprint(out, strings.TrimPrefix(b.Descriptor+", ", ", ")+task+", distance "+distanceText(b.Distance)+"\n\n")
			if err := b.Table.Write(out, table.AsText, 0); err != nil {
				return err
			}
			for _, w := range b.Warnings {
				if benchmarks > 1 {
					w.Text = task + ": " + w.Text
				}
				if len(descriptors) > 1 {
					w.Text = b.Descriptor + ": " + w.Text
				}
				warnings = append(warnings, w)
			}
			if benchmarks > 1 {
				fmt.Fprintln(out)
			}
		}
		if benchmarks > 1 {
			fmt.Fprintln(out)
			if err := r.Means[i].Table.Write(out, table.AsText, 0); err != nil {
				return err
			}
		}
	}
	return printPatchNotes(out, r.Written, warnings)
}

// meanJSON is the JSON form of one descriptor's benchmarks and their mean.
func meanJSON(list []*patchbench.Rated, mean patchbench.Figures) any {
	all := make([]any, len(list))
	for i, b := range list {
		all[i] = b.JSON
	}
	return struct {
		Benchmarks []any `json:"benchmarks"`
		Mean       any   `json:"mean"`
	}{all, mean.JSON}
}
