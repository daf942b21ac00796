package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"descbench/eval"
	"descbench/pipeline/store"
)

// NewTable returns the table of a run, with the hit rates at the cut-offs.
func NewTable(s *store.Summary, timings []store.Timing, cutoffs []int) Table {
	table := Table{Cutoffs: cutoffs}
	for _, d := range s.Descriptors {
		row := Row{Descriptor: d.Name, Metrics: d.Metrics}
		images, cached := 0, 0
		for _, t := range timings {
			if t.Descriptor == d.Name {
				row.Seconds += t.Seconds
				cached += t.Cached
				if t.Stage == "extract" {
					images += t.Images
				}
			}
		}
		switch {
		case cached == 0:
		case cached < images:
			row.Cached = "partly cached"
		default:
			row.Cached = "cached"
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// NewDatabaseTable returns the table of the rows of a results database.
func NewDatabaseTable(rows []store.ResultRow) Table {
	table := Table{Cutoffs: []int{1, 5, 10}}
	for _, r := range rows {
		row := Row{
			Descriptor: r.Experiment + ": " + r.Descriptor,
			Scenes:     fmt.Sprintf("%d of %d", r.ScenesEvaluated, r.ScenesRequested),
		}
		if queries := r.QueriesProcessed + r.QueriesExcluded; queries > 0 {
			row.Metrics = append(row.Metrics, store.Figure{Name: "coverage", Value: float64(r.QueriesProcessed) / float64(queries)})
		}
		for _, f := range r.Figures {
			switch f.Name {
			case "true_map_macro": // the column's name for the metric
				f.Name = "true_map_macro_by_scene"
			case "processing_time_ms":
				row.Seconds = f.Value / 1000
			}
			row.Metrics = append(row.Metrics, f)
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// ScenesBehind says how many scenes stand behind the figures of a summary:
// "4 of 4 scenes (2 illumination, 2 viewpoint)".
func ScenesBehind(s *store.Summary) string {
	count := make(map[string]int)
	seen := make(map[string]bool)
	for _, d := range s.Descriptors {
		for scene := range d.Scenes {
			if !seen[scene] {
				seen[scene] = true
				count[eval.Category(scene)]++
			}
		}
	}
	var kinds []string
	for _, c := range slices.Sorted(maps.Keys(count)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", count[c], c))
	}
	text := fmt.Sprintf("%d of %d scenes", s.ScenesEvaluated, s.ScenesRequested)
	if len(kinds) > 0 {
		text += " (" + strings.Join(kinds, ", ") + ")"
	}
	return text
}
