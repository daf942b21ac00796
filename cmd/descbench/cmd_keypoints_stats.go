package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"descbench/pipeline/keypointfiles"

	"github.com/spf13/cobra"
)

func newKeypointsStatsCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "stats SET",
		Short: "Print statistics of the keypoints of a set",
		Long: `Prints statistics of a keypoint set, per scene and in total: keypoints per image,
the distribution of sizes (px), responses and octaves, the number without angle,
and the share inside a border of the image. The quantile q is the smallest value
with at least the share q of the values at or below it. --json has all statistics
for every scene.`,
		Example: "  descbench keypoints stats configs/demo.yaml#sift_2k",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFileFlags(flags, false, args[0]); err != nil {
				return err
			}
			set, err := openStored(cmd.Context(), flags, args[0], nil)
			if err != nil {
				return err
			}
			defer set.Close()
			all, scenes, err := keypointfiles.Statistics(cmd.Context(), set.KeypointFile)
			if err != nil {
				return err
			}
			if flags.json {
				return printJSON(cmd.OutOrStdout(), struct {
					Set    string                `json:"set"`
					Recipe []string              `json:"recipe"`
					Path   string                `json:"path"`
					All    keypointfiles.Stats   `json:"all"`
					Scenes []keypointfiles.Stats `json:"scenes"`
				}{set.label(), set.Recipe, set.Path(), all, scenes})
			}
			if err := printSceneStats(cmd.OutOrStdout(), all, scenes); err != nil {
				return err
			}
			return printStats(cmd.OutOrStdout(), all)
		},
	}
}

// printSceneStats prints one line per scene and a total.
func printSceneStats(out io.Writer, all keypointfiles.Stats, scenes []keypointfiles.Stats) error {
	all.Scene = "all"
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "SCENE\tKEYPOINTS\tPER IMAGE\tMEDIAN\tTO\tSIZE 5%\tMEDIAN\t95%\tRESPONSE 5%\tMEDIAN\t95%\t")
	for _, s := range append(scenes, all) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%g\t%d\t", s.Scene, s.Keypoints, s.PerImage.Min, s.PerImage.Median, s.PerImage.Max)
		if s.Keypoints == 0 {
			fmt.Fprintln(w, "-\t-\t-\t-\t-\t-\t")
			continue
		}
		fmt.Fprintf(w, "%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t\n",
			s.Size.Q05, s.Size.Median, s.Size.Q95, s.Response.Q05, s.Response.Median, s.Response.Q95)
	}
	return w.Flush()
}

// printStats prints the statistics that need more than one line.
func printStats(out io.Writer, s keypointfiles.Stats) error {
	if s.Keypoints == 0 {
		_, err := fmt.Fprintf(out, "\nno keypoints in %d images\n", s.Images)
		return err
	}
	share := func(n int) float64 { return 100 * float64(n) / float64(s.Keypoints) }
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nquantile\tmin\t5%\t25%\t50%\t75%\t95%\tmax")
	for _, q := range []struct {
		name string
		of   *keypointfiles.Quantiles
	}{{"size, px", s.Size}, {"response", s.Response}} {
		fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\n",
			q.name, q.of.Min, q.of.Q05, q.of.Q25, q.of.Median, q.of.Q75, q.of.Q95, q.of.Max)
	}
	fmt.Fprintln(w, "\noctave\tkeypoints\tshare")
	for _, o := range s.Octaves {
		fmt.Fprintf(w, "%d\t%d\t%.1f%%\n", o.Octave, o.Keypoints, share(o.Keypoints))
	}
	fmt.Fprintln(w, "\ninside a border of\tshare")
	for _, b := range s.Inside {
		fmt.Fprintf(w, "%g px\t%.1f%%\n", b.Px, 100*b.Share)
	}
	fmt.Fprintf(w, "\nwithout angle\t%d\t%.1f%%\n", s.NoAngle, share(s.NoAngle))
	return w.Flush()
}
