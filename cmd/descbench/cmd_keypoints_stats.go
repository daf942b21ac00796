package main

import (
	"fmt"
	"maps"
	"slices"

	"descbench/keypoints"
	"descbench/pipeline/dataset"
	"descbench/pipeline/keypointsets"
	"descbench/pipeline/report/table"

	"github.com/spf13/cobra"
)

func newKeypointsStatsCommand(flags *commonFlags) *cobra.Command {
	var choice tableChoice
	cmd := &cobra.Command{
		Use:   "stats CONFIG#NAME",
		Short: "Print statistics of the keypoints of a set",
		Long: `Prints statistics of a keypoint set, per scene and in total: keypoints per image, the
distribution of sizes (px) and responses, and with --wide also of octaves, the number
without angle, and the share inside a border of the image. The quantile q is the
smallest value with at least the share q of the values at or below it.`,
		Example: "  descbench keypoints stats configs/demo.yaml#sift_2k",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := addressed(flags, args[0])
			if err != nil {
				return err
			}
			var ofAll keypointsets.Statistics
			var scenes []keypointsets.Stats
			err = eachScene(cmd.Context(), flags, set, nil, func(scene *dataset.Scene, sets []keypoints.Set) error {
				var ofScene keypointsets.Statistics
				ofScene.Add(scene, sets)
				ofAll.Add(scene, sets)
				scenes = append(scenes, ofScene.Of(scene.Name))
				return nil
			})
			if err != nil {
				return err
			}
			all := ofAll.Of("all")
			t := statsTable(scenes, all)
			t.Title, t.Notes = set.Name, table.Notes(set.Recipe()...)
			if all.Keypoints > 0 {
				t.Note("without angle: %d (%s %%)", all.NoAngle, table.Share.Format(float64(all.NoAngle)/float64(all.Keypoints)))
			}
			return choice.show(cmd, t)
		},
	}
	choice.register(cmd, flags, "scene")
	return cmd
}

// statsTable returns a table with a row per scene and one for all. What does not fit into a text is
// left out first if it is less common in papers.
func statsTable(scenes []keypointsets.Stats, all keypointsets.Stats) *table.Table {
	t := table.New(wordColumns("scene")...)
	add := func(name, title, full string, unit table.Unit, priority int) {
		t.Columns = append(t.Columns, table.Column{Name: name, Title: title, Full: full, Unit: unit, Priority: priority})
	}
	t.Columns = append(t.Columns, table.Titled("keypoints", table.Count, 0), table.Titled("images", table.Count, 1))
	for i, which := range []string{"min", "median", "max"} {
		add("per_image_"+which, which+"/image", "per image "+which, []table.Unit{table.Count, table.Digits(6), table.Count}[i], 0)
	}
	for _, of := range [][2]string{{"size_px", "size (px)"}, {"response", "response"}} {
		for i, q := range []string{"min", "5", "25", "median", "75", "95", "max"} { // of keypointsets.Quantiles
			title := q
			if n := keypointsets.Quantiles[i]; n > 0 && n < 1 && n != .5 {
				title += "%"
			}
			add(of[0]+"_"+q, of[1]+" "+title, "", table.Digits(4), []int{2, 1, 2, 0, 2, 1, 2}[i])
		}
	}
	t.Columns = append(t.Columns, table.Titled("without_angle", table.Count, 3))
	octaves := slices.Sorted(maps.Keys(all.Octaves))
	for _, octave := range octaves {
		t.Columns = append(t.Columns, table.Titled(fmt.Sprint("octave_", octave), table.Count, 3))
	}
	for _, px := range keypointsets.Borders {
		t.Columns = append(t.Columns, table.Titled(fmt.Sprintf("inside_%g_px", px), table.Share, 3))
	}
	for _, s := range append(slices.Clone(scenes), all) {
		row := []any{s.Scene, s.Keypoints, s.Images, s.PerImage[0], s.PerImage[1], s.PerImage[2]}
		for _, values := range [][]float32{s.Size, s.Response} {
			for i := range keypointsets.Quantiles {
				row = append(row, nil)
				if values != nil {
					row[len(row)-1] = float64(values[i])
				}
			}
		}
		row = append(row, s.NoAngle)
		for _, octave := range octaves {
			row = append(row, s.Octaves[octave])
		}
		for _, share := range s.Inside {
			row = append(row, share)
		}
		addRow(t, append(row, make([]any, len(t.Columns)-len(row))...)...)
	}
	return t
}
