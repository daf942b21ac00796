package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"descbench/keypoints"
	"descbench/pipeline/dataset"
	"descbench/pipeline/features"
	"descbench/pipeline/keypointsets"
	"descbench/pipeline/plan"
)

func newKeypointsCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keypoints",
		Short: "Export, draw and summarise the keypoint sets of a config",
		Long: `CONFIG#NAME addresses a keypoint set of a config, over all scenes of the config.
CONFIG#NAME.a and CONFIG#NAME.b address the sides of an intersection:

  descbench keypoints stats configs/demo.yaml#sift_2k

The sets have the keypoints that a run of the config describes. Detected keypoints
are cached; selections, intersections and projections are computed every time.`,
	}
	cmd.AddCommand(newKeypointsStatsCommand(flags), newKeypointsExportCommand(flags), newKeypointsDrawCommand(flags))
	flags.addConfig(cmd.PersistentFlags())
	flags.addCache(cmd.PersistentFlags())
	flags.addJobs(cmd.PersistentFlags())
	return cmd
}

// addressed loads the config of an address, CONFIG#NAME, and checks that it has the
// set.
func addressed(flags *commonFlags, address string) (keypointsets.Source, error) {
	i := strings.LastIndex(address, "#")
	if i <= 0 || i == len(address)-1 {
		return keypointsets.Source{}, usageError{fmt.Errorf("found %q, want CONFIG#NAME, a config file and one of its keypoint sets", address)}
	}
	path, name := address[:i], address[i+1:]
	cfg, err := loadConfig(flags, path)
	if err != nil {
		return keypointsets.Source{}, err
	}
	return keypointsets.Source{Config: cfg, Name: name}, cfg.CheckSet(path, name)
}

// eachScene computes a keypoint set and calls each do for one scene after the other; see
// keypointsets.Source.
func eachScene(ctx context.Context, flags *commonFlags, set keypointsets.Source, scenes []string, do func(*dataset.Scene, []keypoints.Set) error) error {
	bar := newProgress(flags)
	defer bar.end()
	options := flags.options()
	options.Progress = bar.show
	return set.Each(ctx, options, scenes, do)
}

func newKeypointsExportCommand(flags *commonFlags) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "export CONFIG#NAME --out DIR",
		Short: "Write the keypoints of a set, one file per image",
		Long: `Writes one file per image, DIR/<scene>/<image>.npz or .csv, with positions, sizes,
angles, scores, octaves and class_id, .npz also image_size, that of the image. docs/own-descriptors.md describes both formats.
Rows are in the order of the set. A file that exists with other content is an error.`,
		Example: "  descbench keypoints export configs/demo.yaml#sift_2k --out exported --format csv",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := addressed(flags, args[0])
			if err != nil {
				return err
			}
			features.NoteResized(set.Config, plan.Options{Log: flags.logger()})
			files, count := 0, 0
			err = eachScene(cmd.Context(), flags, set, nil, func(scene *dataset.Scene, sets []keypoints.Set) error {
				for _, s := range sets {
					files++
					count += s.Len()
				}
				return keypointsets.Export(flags.out, format, scene, sets)
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

func newKeypointsDrawCommand(flags *commonFlags) *cobra.Command {
	var top int
	cmd := &cobra.Command{
		Use:   "draw CONFIG#NAME SCENE/IMAGE --out FILE.png",
		Short: "Draw the keypoints of an image",
		Long: `Writes a PNG of the image in its original size. Each keypoint is a circle of the
keypoint's size with a line from the centre in the direction of its angle.
Keypoints of unknown size are small circles. IMAGE is 1, 2, …, or the name of the image
file. An existing FILE is replaced only if it is a picture that descbench wrote.`,
		Example: "  descbench keypoints draw configs/demo.yaml#sift_2k v_synth_001/2 --out keypoints.png",
		Args:    exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			at := strings.LastIndexByte(args[1], '/') // a scene's name can have one, too
			sceneName, imageName := args[1][:max(at, 0)], args[1][at+1:]
			if sceneName == "" || imageName == "" {
				return usageError{fmt.Errorf("found %q, want SCENE/IMAGE, such as v_dogman/1", args[1])}
			}
			if !strings.EqualFold(filepath.Ext(flags.out), ".png") {
				return usageError{fmt.Errorf("--out: found %q, want the name of a .png file", flags.out)}
			}
			set, err := addressed(flags, args[0])
			if err != nil {
				return err
			}
			scene, err := set.OpenScene(cmd.Context(), sceneName)
			if err != nil {
				return err
			}
			image, err := keypointsets.FindImage(scene, imageName)
			if err != nil {
				return err
			}
			total, drawn := 0, 0
			err = eachScene(cmd.Context(), flags, set, []string{sceneName}, func(scene *dataset.Scene, sets []keypoints.Set) error {
				total = sets[image].Len()
				drawn, err = keypointsets.Draw(flags.out, scene, image, sets[image], top)
				return err
			})
			if err != nil {
				return err
			}
			return flags.print(cmd, map[string]any{"file": flags.out, "keypoints": total, "drawn": drawn},
				"%d of %d keypoints of %s: %s\n", drawn, total, args[1], flags.out)
		},
	}
	flags.addOut(cmd.Flags(), "output file, .png")
	cmd.Flags().IntVar(&top, "top", 150, "keypoints of an image to draw, those with the strongest responses; 0: all")
	limits(cmd.Flags(), "top", 0, 0)
	return cmd
}
