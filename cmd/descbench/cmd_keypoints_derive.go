package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"descbench/pipeline/config"
	"descbench/pipeline/keypointsets"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

func newKeypointsSelectCommand(flags *commonFlags) *cobra.Command {
	var steps stepFlags
	var out string
	cmd := &cobra.Command{
		Use:   "select SET --out FILE.parquet",
		Short: "Select keypoints of a set",
		Long: `Selects keypoints by the steps of a set in a config, in their order: border,
size, response, random, spatial, top. Equal keypoints are ordered by scene name,
image and row. To keep the sides of an intersection paired, give the steps to
intersect instead.`,
		Example: `  descbench keypoints select configs/demo.yaml#sift_2k --top-by size --total 5000 --out big.parquet
  descbench keypoints select big.parquet --border 40 --spatial 5 --out apart.parquet`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := steps.set(cmd.Flags())
			if err != nil {
				return err
			}
			if set == (config.KeypointSet{}) {
				return usageError{errors.New("no step given, want at least one of --border, --min-size, --max-size, --min-response, --random, --spatial, --per-image and --total")}
			}
			if err := checkFileFlags(flags, false, args...); err != nil {
				return err
			}
			return derive(cmd.Context(), cmd.OutOrStdout(), flags, args, set, []string{out})
		},
	}
	outFlag(cmd, &out, "out", "o", "file for the set")
	steps.register(cmd.Flags())
	return cmd
}

func newKeypointsIntersectCommand(flags *commonFlags) *cobra.Command {
	var steps stepFlags
	var tolerance float64
	out := make([]string, 2)
	cmd := &cobra.Command{
		Use:   "intersect A B --tolerance PX --out-a FILE.parquet --out-b FILE.parquet",
		Short: "Pair mutual nearest neighbours of two sets",
		Long: `Pairs keypoints of two sets of the same scenes that are mutual nearest neighbours
in position and at most the tolerance apart. Row i of both files is the same
point, in A's order; each file has the attributes of its own set. The steps of
select apply, too: a pair is kept if both keypoints pass. random, spatial and top
use the keypoints of A.`,
		Example: "  descbench keypoints intersect sift.parquet surf.parquet --tolerance 3 --out-a both_sift.parquet --out-b both_surf.parquet",
		Args:    exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := steps.set(cmd.Flags())
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("tolerance") {
				return usageError{errors.New("--tolerance is missing, want the maximum distance, in px, between the keypoints of a pair")}
			}
			if err := checkPx("tolerance", tolerance, 0); err != nil {
				return err
			}
			if filepath.Clean(out[0]) == filepath.Clean(out[1]) && out[0] != "" {
				return usageError{fmt.Errorf("--out-b: found %q, which is also --out-a, want another file", out[1])}
			}
			if err := checkFileFlags(flags, false, args...); err != nil {
				return err
			}
			set.Intersect = &config.Intersect{TolerancePx: tolerance}
			return derive(cmd.Context(), cmd.OutOrStdout(), flags, args, set, out)
		},
	}
	cmd.Flags().Float64Var(&tolerance, "tolerance", 0, "maximum distance between the keypoints of a pair, px")
	outFlag(cmd, &out[0], "out-a", "", "file for the keypoints of A")
	outFlag(cmd, &out[1], "out-b", "", "file for the keypoints of B")
	steps.register(cmd.Flags())
	return cmd
}

func newKeypointsProjectCommand(flags *commonFlags) *cobra.Command {
	var steps borderFlags
	var out string
	project := config.Project{FromImage: 1}
	var carry, bounds string
	cmd := &cobra.Command{
		Use:   "project SET --out FILE.parquet",
		Short: "Project the keypoints of image 1 to the other images",
		Long: `Projects the keypoints of image 1 to the other images by the homographies of the
scenes. The config of CONFIG#NAME gives the folder of scenes; FILE.parquet needs
--data. The scenes must be those of the set. Keypoints outside the border are
dropped, in image 1 too. With --carry geometry the homography also transforms size
and angle, and the octave follows from the size by the detector's rule.`,
		Example: `  descbench keypoints project configs/demo.yaml#sift_2k --carry geometry --out locked.parquet
  descbench keypoints project big.parquet --data testdata/scenes --border 40 --bounds image1 --out locked.parquet`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			set := config.KeypointSet{Project: &project}
			var err error
			if set.Border, err = steps.border(cmd.Flags()); err != nil {
				return err
			}
			if project.Carry, err = oneWord("carry", carry, config.CarryPosition, config.CarryGeometry); err != nil {
				return err
			}
			if project.Bounds, err = oneWord("bounds", bounds, config.BoundsOwn, config.BoundsImage1); err != nil {
				return err
			}
			if err := checkFileFlags(flags, true, args...); err != nil {
				return err
			}
			return derive(cmd.Context(), cmd.OutOrStdout(), flags, args, set, []string{out})
		},
	}
	cmd.Flags().StringVar(&carry, "carry", "position", "position: keep size, angle and octave; geometry: transform them with the position")
	cmd.Flags().StringVar(&bounds, "bounds", "own", "image whose size defines the border: own (the target image) or image1")
	outFlag(cmd, &out, "out", "o", "file for the set")
	steps.register(cmd.Flags())
	return cmd
}

// outFlag defines a flag for a file to write.
func outFlag(cmd *cobra.Command, to *string, name, short, doc string) {
	cmd.Flags().StringVarP(to, name, short, "", doc+", FILE.parquet")
}

// derive computes one or two sets from stored ones and prints their size.
func derive(ctx context.Context, out io.Writer, flags *commonFlags, args []string, steps config.KeypointSet, to []string) error {
	for i, path := range to {
		if !isStoredFile(path) {
			name := []string{"out", "out-a", "out-b"}[i+len(to)-1]
			return usageError{fmt.Errorf("--%s: found %q, want the name of a .parquet file", name, path)}
		}
	}
	cache, err := cacheFolder(flags)
	if err != nil {
		return err
	}
	d := keypointsets.Derivation{Steps: steps, To: to}
	for _, text := range args {
		set, err := openStored(ctx, flags, text, nil)
		if err != nil {
			return err
		}
		defer set.Close()
		if steps.Top != nil && steps.Top.Total > 0 && set.Projected() {
			return usageError{fmt.Errorf("--total: %s is projected, want --per-image, or a selection before projecting", text)}
		}
		d.Of, d.Data = append(d.Of, set.KeypointFile), set.sets.Root()
	}
	if len(d.Of) == 2 && d.Of[0].Path() == d.Of[1].Path() {
		return usageError{fmt.Errorf("found %s twice, want two keypoint sets", args[1])}
	}
	count, err := d.Derive(ctx, plan.Options{Jobs: flags.jobs, CacheDir: cache, Version: version, Log: flags.logger()})
	if err != nil {
		return err
	}
	return printDerived(out, flags, d.Of, count, to)
}

func printDerived(out io.Writer, flags *commonFlags, of []*store.KeypointFile, count int, to []string) error {
	if flags.json {
		var from []string
		before := make([]int, len(of))
		for i, f := range of {
			from, before[i] = append(from, f.Path()), f.Keypoints()
		}
		return printJSON(out, map[string]any{"paths": to, "keypoints": count, "scenes": len(of[0].Scenes), "from": from, "from_keypoints": before})
	}
	var before []string
	for _, f := range of {
		before = append(before, fmt.Sprint(f.Keypoints()))
	}
	_, err := fmt.Fprintf(out, "%d keypoints of %s in %d scenes\n%s\n", count, strings.Join(before, " and "), len(of[0].Scenes), strings.Join(to, "\n"))
	return err
}
