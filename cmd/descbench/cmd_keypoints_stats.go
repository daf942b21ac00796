package main

import (
	"fmt"
	"math"
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
			stats := keypointsets.NewStatistics()
			err = eachScene(cmd.Context(), flags, set, nil, func(scene *dataset.Scene, sets []keypoints.Set) error {
				stats.Add(scene, sets)
				return nil
			})
			if err != nil {
				return err
			}
			all, scenes := stats.Get()
			all.Scene = "all"
			t := statsTable(scenes, all)
			t.Title, t.Notes = set.Name, table.Notes(set.Recipe()...)
			if all.Keypoints > 0 {
				t.Note("without angle: %d (%s %%)", all.NoAngle, table.Share.Format(float64(all.NoAngle)/float64(all.Keypoints)))
			}
			return choice.show(cmd, t)
		},
	}
	choice.registerFor(cmd, flags, "scene", statsTable(nil, keypointsets.Stats{}))
	return cmd
}

// statsTable returns a table with a row per scene and one for all. What does not fit into a text is
// left out first if it is less common in papers.
func statsTable(scenes []keypointsets.Stats, all keypointsets.Stats) *table.Table {
	rows := append(slices.Clone(scenes), all)
	t := table.New(wordColumns("scene")...)
	for _, s := range rows {
		addRow(t, s.Scene)
	}
	add := func(column table.Column, of func(keypointsets.Stats) float64) {
		t.Columns = append(t.Columns, column)
		for i, s := range rows {
			cell := table.Cell{}
			if v := of(s); !math.IsNaN(v) {
				cell = table.Number(v)
			}
			t.Rows[i].Cells = append(t.Rows[i].Cells, cell)
		}
	}
	count := func(name string, priority int, of func(keypointsets.Stats) int) {
		add(table.Titled(name, table.Count, priority), func(s keypointsets.Stats) float64 { return float64(of(s)) })
	}
	perImage := func(which string, unit table.Unit, of func(keypointsets.PerImage) float64) {
		column := table.Column{Name: "per_image_" + which, Title: which + "/image", Full: "per image " + which, Unit: unit}
		add(column, func(s keypointsets.Stats) float64 { return of(s.PerImage) })
	}
	count("keypoints", 0, func(s keypointsets.Stats) int { return s.Keypoints })
	count("images", 1, func(s keypointsets.Stats) int { return s.Images })
	perImage("min", table.Count, func(n keypointsets.PerImage) float64 { return float64(n.Min) })
	perImage("median", table.Digits(6), func(n keypointsets.PerImage) float64 { return n.Median })
	perImage("max", table.Count, func(n keypointsets.PerImage) float64 { return float64(n.Max) })
	for _, d := range []struct {
		name, title string
		of          func(keypointsets.Stats) *keypointsets.Quantiles
	}{
		{"size_px", "size (px)", func(s keypointsets.Stats) *keypointsets.Quantiles { return s.Size }},
		{"response", "response", func(s keypointsets.Stats) *keypointsets.Quantiles { return s.Response }},
	} {
		for i, q := range [][2]string{{"min", "min"}, {"5", "5%"}, {"25", "25%"}, {"median", "median"}, {"75", "75%"}, {"95", "95%"}, {"max", "max"}} {
			column := table.Column{Name: d.name + "_" + q[0], Title: d.title + " " + q[1], Unit: table.Digits(4), Priority: []int{2, 1, 2, 0, 2, 1, 2}[i]}
			add(column, func(s keypointsets.Stats) float64 {
				q := d.of(s)
				if q == nil {
					return math.NaN()
				}
				return float64([]float32{q.Min, q.Q05, q.Q25, q.Median, q.Q75, q.Q95, q.Max}[i])
			})
		}
	}
	count("without_angle", 3, func(s keypointsets.Stats) int { return s.NoAngle })
	for _, o := range all.Octaves {
		count(fmt.Sprintf("octave_%d", o.Octave), 3, func(s keypointsets.Stats) int {
			if i := slices.IndexFunc(s.Octaves, func(own keypointsets.OctaveCount) bool { return own.Octave == o.Octave }); i >= 0 {
				return s.Octaves[i].Keypoints
			}
			return 0
		})
	}
	for i, b := range all.Inside {
		add(table.Titled(fmt.Sprintf("inside_%g_px", b.Px), table.Share, 3), func(s keypointsets.Stats) float64 {
			if i < len(s.Inside) {
				return s.Inside[i].Share
			}
			return math.NaN()
		})
	}
	return t
}
