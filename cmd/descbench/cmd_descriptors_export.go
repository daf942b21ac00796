package main

import (
	"github.com/spf13/cobra"

	"descbench/pipeline/features"
	"descbench/pipeline/plan"
)

func newDescriptorsExportCommand(flags *commonFlags) *cobra.Command {
	var descriptor string
	cmd := &cobra.Command{
		Use:   "export RUN --descriptor NAME --out DIR",
		Short: "Write a run's keypoints and descriptors for other programs",
		Long: `Export writes one <out>/<scene>/<image>.npz per image with the keypoints of
a finished run and one of its descriptors. numpy.load can read the files, and a
config can use them with import and type: file. The array element_type states
whether rows are bits (compared by Hamming distance), uint8 (not normalised) or
float32, so that the results of such a config equal those of the run if normalize is
the same.
docs/own-descriptors.md describes the format.

A file that exists with other content is an error, and no file is written.
` + exitHelp,
		Example: "  descbench descriptors export runs/demo --descriptor rootsift --out features",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cache, err := cacheFolder(flags)
			if err != nil {
				return err
			}
			files, err := features.Export(cmd.Context(), args[0], descriptor, flags.out, plan.Options{
				Jobs: flags.jobs, CacheDir: cache, Data: flags.data, Version: version, Log: flags.logger(),
			})
			if err != nil {
				return err
			}
			if files == 0 {
				return plan.Faultf("%s: nothing to export: %s has results in no scene", args[0], descriptor)
			}
			return flags.print(cmd, map[string]any{"folder": flags.out, "files": files}, "%d files in %s\n", files, flags.out)
		},
	}
	cmd.Flags().StringVar(&descriptor, "descriptor", "", "name of the descriptor in the run")
	flags.addOut(cmd.Flags(), "folder for the files")
	requires(cmd.Flags(), "descriptor", "out")
	flags.addMoved(cmd.Flags())
	flags.addCache(cmd.Flags())
	flags.addJobs(cmd.Flags())
	return cmd
}
