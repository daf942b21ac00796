package main

import (
	"fmt"
	"slices"
	"strings"

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
		Long: `Prints statistics of a keypoint set, per scene and in total: keypoints per image,
the distribution of sizes (px), responses and octaves, the number without angle,
and the share inside a border of the image. The quantile q is the smallest value
with at least the share q of the values at or below it. JSON and CSV have all
statistics for every scene.`,
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
			t := sceneStats(scenes, all)
			if choice.forPrograms() {
				addStats(t, append(slices.Clone(scenes), all))
				t.Title, t.Notes = set.Name, table.Notes(set.Recipe()...)
			}
			if err := choice.show(cmd, t); err != nil || choice.forPrograms() {
				return err
			}
			for _, t := range statsTables(all) {
				fmt.Fprintln(cmd.OutOrStdout())
				if err := choice.print(cmd, t); err != nil {
					return err
				}
			}
			return nil
		},
	}
	choice.registerFor(cmd, flags, "scenes", sceneStats(nil, keypointsets.Stats{}))
	return cmd
}

// sceneStats returns a table with a row per scene and one for all.
func sceneStats(scenes []keypointsets.Stats, all keypointsets.Stats) *table.Table {
	column := func(name, title string, unit table.Unit) table.Column {
		return table.Column{Name: name, Title: title, Full: strings.ReplaceAll(name, "_", " "), Unit: unit}
	}
	digits := table.Digits(4)
	t := table.New(
		table.Titled("scene", table.Words, 0), table.Titled("keypoints", table.Count, 0),
		column("per_image_min", "min/image", table.Count), column("per_image_median", "median/image", table.Digits(6)), column("per_image_max", "max/image", table.Count),
		column("size_px_5", "size 5% (px)", digits), column("size_px_median", "size median (px)", digits), column("size_px_95", "size 95% (px)", digits),
		column("response_5", "response 5%", digits), column("response_median", "response median", digits), column("response_95", "response 95%", digits),
	)
	all.Scene = "all"
	for _, s := range append(slices.Clone(scenes), all) {
		cells := []table.Cell{
			table.Text(s.Scene), table.Integer(s.Keypoints),
			table.Integer(s.PerImage.Min), table.Number(s.PerImage.Median), table.Integer(s.PerImage.Max),
		}
		for _, q := range []*keypointsets.Quantiles{s.Size, s.Response} {
			if q == nil {
				cells = append(cells, table.Cell{}, table.Cell{}, table.Cell{})
				continue
			}
			cells = append(cells, numbers(q.Q05, q.Median, q.Q95)...)
		}
		t.Add(cells...)
	}
	return t
}

// addStats adds the other statistics of each row.
func addStats(t *table.Table, list []keypointsets.Stats) {
	add := func(name string, unit table.Unit, of func(keypointsets.Stats) (float64, bool)) {
		t.Columns = append(t.Columns, table.Titled(name, unit, 0))
		for i, s := range list {
			cell := table.Cell{}
			if v, there := of(s); there {
				cell = table.Number(v)
			}
			t.Rows[i].Cells = append(t.Rows[i].Cells, cell)
		}
	}
	add("images", table.Count, func(s keypointsets.Stats) (float64, bool) { return float64(s.Images), true })
	add("without_angle", table.Count, func(s keypointsets.Stats) (float64, bool) { return float64(s.NoAngle), true })
	for _, q := range []struct {
		name string
		of   func(keypointsets.Stats) *keypointsets.Quantiles
	}{{"size_px", func(s keypointsets.Stats) *keypointsets.Quantiles { return s.Size }}, {"response", func(s keypointsets.Stats) *keypointsets.Quantiles { return s.Response }}} {
		for i, name := range []string{"_min", "_25", "_75", "_max"} {
			add(q.name+name, table.Digits(4), func(s keypointsets.Stats) (float64, bool) {
				if of := q.of(s); of != nil {
					return float64([]float32{of.Min, of.Q25, of.Q75, of.Max}[i]), true
				}
				return 0, false
			})
		}
	}
	all := list[len(list)-1]
	for _, o := range all.Octaves {
		add(fmt.Sprintf("octave_%d", o.Octave), table.Count, func(s keypointsets.Stats) (n float64, there bool) {
			for _, own := range s.Octaves {
				if own.Octave == o.Octave {
					n = float64(own.Keypoints)
				}
			}
			return n, true
		})
	}
	for i, b := range all.Inside {
		add(fmt.Sprintf("inside_%g_px", b.Px), table.Share, func(s keypointsets.Stats) (float64, bool) {
			if i < len(s.Inside) {
				return s.Inside[i].Share, true
			}
			return 0, false
		})
	}
}

// statsTables returns the statistics that need a table each.
func statsTables(s keypointsets.Stats) []*table.Table {
	if s.Keypoints == 0 {
		return nil
	}
	share := func(n int) table.Cell { return table.Number(float64(n) / float64(s.Keypoints)) }
	quantiles := table.New(table.Titled("quantile", table.Words, 0))
	for _, name := range []string{"min", "5%", "25%", "50%", "75%", "95%", "max"} {
		quantiles.Columns = append(quantiles.Columns, table.Titled(name, table.Digits(4), 0))
	}
	add := func(name string, q *keypointsets.Quantiles) {
		quantiles.Add(append([]table.Cell{table.Text(name)}, numbers(q.Min, q.Q05, q.Q25, q.Median, q.Q75, q.Q95, q.Max)...)...)
	}
	add("size, px", s.Size)
	add("response", s.Response)
	octaves := table.New(table.Titled("octave", table.Words, 0), table.Titled("keypoints", table.Count, 0), table.Titled("share_%", table.Share, 0))
	for _, o := range s.Octaves {
		octaves.Add(table.Text(fmt.Sprint(o.Octave)), table.Integer(o.Keypoints), share(o.Keypoints))
	}
	octaves.Note("without angle: %d (%s %%)", s.NoAngle, table.Share.Format(float64(s.NoAngle)/float64(s.Keypoints)))
	borders := table.New(table.Titled("inside_border", table.Words, 0), table.Titled("share_%", table.Share, 0))
	for _, b := range s.Inside {
		borders.Add(table.Text(fmt.Sprintf("%g px", b.Px)), table.Number(b.Share))
	}
	return []*table.Table{quantiles, octaves, borders}
}

func numbers(values ...float32) []table.Cell {
	cells := make([]table.Cell, len(values))
	for i, v := range values {
		cells[i] = table.Number(float64(v))
	}
	return cells
}
