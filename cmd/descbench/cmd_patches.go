package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

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

extract and tasks build such a benchmark from any scenes; tasks --edition 2016 writes
the files that classify, match and retrieve read. These compute results from
descriptors, evaluate existing results, or both.
` + exitHelp,
	}
	addGroup(cmd, "Prepare:", newPatchesExtractCommand(flags), newPatchesTasksCommand(flags), newPatchesDescribeCommand(flags), newPatchesCheckCommand(flags))
	addGroup(cmd, "Evaluate:", newPatchesEvaluateCommand(flags), newPatchesCompareCommand(flags))
	addGroup(cmd, "Evaluate the tasks of the first edition, 2016:", newPatchesClassifyCommand(flags), newPatchesMatchCommand(flags), newPatchesRetrieveCommand(flags))
	return cmd
}

// ratedOptions are the flags of match and retrieve.
type ratedOptions struct {
	originalFlags
	benchmarkFlags
	table tableChoice
}

// register registers the flags. example is a table without rows.
func (o *ratedOptions) register(cmd *cobra.Command, flags *commonFlags, content, unlabelled string, example *table.Table) {
	fs := cmd.Flags()
	o.benchmarkFlags.register(fs, content, unlabelled)
	o.originalFlags.register(flags, fs, "the mean precision-recall curves as CSV", "the mean precision-recall curves")
	o.table.registerFor(cmd, flags, "descriptors", example)
}

// run evaluates benchmarks and prints the results.
func (o *ratedOptions) run(cmd *cobra.Command, flags *commonFlags, rate func(context.Context, patchbench.Original, patchbench.Files) (*patchbench.Ratings, error)) error {
	if err := cmp.Or(o.benchmarkFlags.check(len(o.descriptors)), o.originalFlags.check(len(o.Results) > 0)); err != nil {
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
	return o.table.printAll(cmd, r.JSON, r.Table, originalRemarks(r.Written, r.Warnings))
}

// originalRemarks are the lines below results of 2016: the files written and all warnings.
func originalRemarks(written []string, warnings []scope.Warning) (lines []string) {
	for _, path := range written {
		lines = append(lines, "file: "+path)
	}
	for _, w := range warnings {
		lines = append(lines, table.Wrap("warning: "+w.Text, table.PageWidth))
	}
	return lines
}

// printAll prints what was found as JSON, or a table, if there is one, and remarks.
func (c *tableChoice) printAll(cmd *cobra.Command, asJSON any, t *table.Table, remarks []string) error {
	if c.is(table.JSON) {
		return printJSON(cmd.OutOrStdout(), asJSON)
	}
	if t != nil {
		if err := c.show(cmd, t); err != nil {
			return err
		}
	}
	return c.printRemarks(cmd, remarks)
}
