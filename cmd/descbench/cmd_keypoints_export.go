package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"descbench/keypoints"
	"descbench/pipeline/dataset"
	"descbench/pipeline/features"
	"descbench/pipeline/keypointsets"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

func newKeypointsExportCommand(flags *commonFlags) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "export CONFIG#NAME --out DIR",
		Short: "Write the keypoints of a set, one file per image",
		Long: `Writes one file per image, DIR/<scene>/<image>.npz or .csv, with positions, sizes,
angles, scores, octaves and class_id, .npz also image_size, that of the image. docs/own-descriptors.md describes both formats.
Rows are in the order of the set. A file that exists with other content is an error, and
no file is written.`,
		Example: "  descbench keypoints export configs/demo.yaml#sift_2k --out exported --format csv",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := addressed(flags, args[0])
			if err != nil {
				return err
			}
			features.NoteResized(set.Config, plan.Options{Log: flags.logger()})
			files, count := 0, 0
			check := func(scene *dataset.Scene, sets []keypoints.Set) error {
				return keypointsets.Export(store.Replaceable, flags.out, format, scene, sets)
			}
			err = eachScene(cmd.Context(), flags, set, nil, check, func(scene *dataset.Scene, sets []keypoints.Set) error {
				for _, s := range sets {
					files++
					count += s.Len()
				}
				return keypointsets.Export(store.WriteOwn, flags.out, format, scene, sets)
			})
			if err != nil {
				return err
			}
			return flags.print(cmd, map[string]any{"folder": flags.out, "files": files, "keypoints": count},
				"%d keypoints in %d files: %s\n", count, files, filepath.Join(flags.out, "<scene>", "<image>."+format))
		},
	}
	cmd.Flags().StringVar(&format, "format", "npz", "npz or csv")
	allows(cmd.Flags(), "format", keypointsets.Formats...)
	flags.addOut(cmd.Flags(), "folder for the files")
	requires(cmd.Flags(), "out")
	return cmd
}
