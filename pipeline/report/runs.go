package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/pipeline/store"
)

// WriteRun prints the table of a run, with the hit rates at the cut-offs.
func WriteRun(out io.Writer, s *store.Summary, timings []store.Timing, cutoffs []int) error {
	all := table{cutoffs: cutoffs}
	for _, d := range s.Descriptors {
		line := row{descriptor: d.Name, metrics: d.Metrics}
		images, cached := 0, 0
		for _, t := range timings {
			if t.Descriptor == d.Name {
				line.seconds += t.Seconds
				cached += t.Cached
				switch t.Stage {
				case "extract":
					images += t.Images
				case "import":
					line.cached = "imported"
				}
			}
		}
		switch {
		case cached == 0:
		case cached < images:
			line.cached = "partly cached"
		default:
			line.cached = "cached"
		}
		all.rows = append(all.rows, line)
	}
	return all.write(out)
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
				count[scope.Category(scene)]++
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
