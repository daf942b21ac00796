package main

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"descbench/pipeline/keypointfiles"
)

type showOptions struct {
	scene        string
	image, limit int
}

func newKeypointsShowCommand(flags *commonFlags) *cobra.Command {
	var opts showOptions
	cmd := &cobra.Command{
		Use:   "show SET",
		Short: "Print the keypoints of a set",
		Example: `  descbench keypoints show configs/demo.yaml#sift_2k --limit 5
  descbench keypoints show configs/demo.yaml#sift_2k --scene v_synth_001 --image 2`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("image") && (opts.image < 1 || opts.image > 6) {
				return usageError{fmt.Errorf("--image: found %d, want 1 to 6", opts.image)}
			}
			if opts.limit < 0 {
				return usageError{fmt.Errorf("--limit: found %d, want at least 1, or 0 for all", opts.limit)}
			}
			if err := checkFileFlags(flags, false, args[0]); err != nil {
				return err
			}
			scene := keypointfiles.AllScenes
			set, err := openStored(cmd.Context(), flags, args[0], func(sets *keypointfiles.Sets) (err error) {
				if opts.scene != "" {
					scene, err = sets.FindScene(opts.scene)
				}
				return err
			})
			if err != nil {
				return err
			}
			defer set.Close()
			rows, total, err := keypointfiles.Show(set.KeypointFile, scene, opts.image, opts.limit)
			if err != nil {
				return err
			}
			if flags.json {
				return printJSON(cmd.OutOrStdout(), rows)
			}
			return printShown(cmd.OutOrStdout(), rows, total)
		},
	}
	cmd.Flags().StringVar(&opts.scene, "scene", "", "show this scene only")
	cmd.Flags().IntVar(&opts.image, "image", 0, "show this image only, 1 to 6")
	cmd.Flags().IntVar(&opts.limit, "limit", 20, "print at most this many keypoints; 0: all")
	return cmd
}

func printShown(out io.Writer, rows []keypointfiles.ShownKeypoint, total int) error {
	buffered := bufio.NewWriter(out)
	w := tabwriter.NewWriter(buffered, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "SCENE\tIMAGE\tROW\tX\tY\tSIZE\tANGLE\tRESPONSE\tOCTAVE\tLAYER\tCLASS\tSOURCE\t")
	for _, r := range rows {
		source := "-"
		if r.Source != nil {
			source = fmt.Sprint(*r.Source)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.1f\t%.4g\t%d\t%d\t%d\t%s\t\n",
			r.Scene, r.Image, r.Row, r.X, r.Y, r.Size, r.Angle, r.Response, r.Octave, r.Layer, r.ClassID, source)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(buffered, "%d of %d keypoints\n", len(rows), total); err != nil {
		return err
	}
	return buffered.Flush()
}
