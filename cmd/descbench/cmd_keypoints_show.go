package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"descbench/eval/scope"
	"descbench/pipeline/keypointsets"
	"descbench/pipeline/report/table"
)

type showOptions struct {
	scene        string
	image, limit int
}

func newKeypointsShowCommand(flags *commonFlags) *cobra.Command {
	var opts showOptions
	var choice tableChoice
	cmd := &cobra.Command{
		Use:   "show SET",
		Short: "Print the keypoints of a set",
		Example: `  descbench keypoints show configs/demo.yaml#sift_2k --limit 5
  descbench keypoints show configs/demo.yaml#sift_2k --scene v_synth_001 --image 2`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("image") && (opts.image < 1 || opts.image > scope.MaxImages) {
				return usageError{fmt.Errorf("--image: found %d, want 1 to %d", opts.image, scope.MaxImages)}
			}
			if opts.limit < 0 {
				return usageError{fmt.Errorf("--limit: found %d, want at least 1, or 0 for all", opts.limit)}
			}
			if err := cmp.Or(choice.checkWhole(cmd, flags), checkFileFlags(flags, false, args[0])); err != nil {
				return err
			}
			scene := keypointsets.AllScenes
			set, err := openStored(cmd.Context(), flags, args[0], func(sets *keypointsets.Sets) (err error) {
				if opts.scene != "" {
					scene, err = sets.FindScene(opts.scene)
				}
				return err
			})
			if err != nil {
				return err
			}
			defer set.Close()
			rows, total, err := keypointsets.Show(set.KeypointFile, scene, opts.image, opts.limit)
			if err != nil {
				return err
			}
			if choice.is(table.JSON) {
				return printJSON(cmd.OutOrStdout(), rows)
			}
			if err := choice.show(cmd, keypointTable(rows)); err != nil {
				return err
			}
			return choice.printRemarks(cmd, []string{fmt.Sprintf("%d of %d keypoints", len(rows), total)})
		},
	}
	cmd.Flags().StringVar(&opts.scene, "scene", "", "show this scene only")
	cmd.Flags().IntVar(&opts.image, "image", 0, "show this image only, 1, 2, …")
	cmd.Flags().IntVar(&opts.limit, "limit", 20, "print at most this many keypoints; 0: all")
	choice.registerFor(cmd.Flags(), "scenes", keypointTable(nil))
	return cmd
}

func keypointTable(rows []keypointsets.ShownKeypoint) *table.Table {
	t := table.New(
		table.Titled("scene", table.Words, 0), table.Titled("image", table.Count, 0), table.Titled("row", table.Count, 0),
		table.Titled("x", table.Pixels, 0), table.Titled("y", table.Pixels, 0), table.Titled("size", table.Pixels, 0),
		table.Titled("angle", table.Degrees, 0), table.Titled("response", table.Digits(4), 0), table.Titled("octave", table.Count, 0),
		table.Titled("layer", table.Count, 0), table.Column{Name: "class_id", Title: "class", Unit: table.Count, Priority: 1},
		table.Titled("source", table.Count, 0),
	)
	for _, r := range rows {
		source := table.Cell{}
		if r.Source != nil {
			source = table.Integer(int(*r.Source))
		}
		t.Add(
			table.Text(r.Scene), table.Integer(r.Image), table.Integer(r.Row), table.Number(float64(r.X)), table.Number(float64(r.Y)),
			table.Number(float64(r.Size)), table.Number(float64(r.Angle)), table.Number(float64(r.Response)),
			table.Integer(r.Octave), table.Integer(r.Layer), table.Integer(int(r.ClassID)), source,
		)
	}
	return t
}
