package main

import "github.com/spf13/cobra"

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
	addGroup(cmd, "Prepare:", newPatchesExtractCommand(flags), newPatchesTasksCommand(flags), newPatchesDescribeCommand(flags))
	addGroup(cmd, "Evaluate:", newPatchesEvaluateCommand(flags), newPatchesCompareCommand(flags))
	addGroup(cmd, "Evaluate the tasks of the first edition, 2016:", newPatchesClassifyCommand(flags), newPatchesMatchCommand(flags), newPatchesRetrieveCommand(flags))
	return cmd
}
