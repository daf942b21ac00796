package report

import (
	"slices"
	"strings"

	"descbench/eval/patches/y2017"
	"descbench/pipeline/report/table"
)

// PublishedPatches holds the published results of a descriptor on the tasks of the
// patch benchmark: means of the average precision as in y2017.Summary, NaN where none
// is published.
type PublishedPatches struct {
	Name         string      `json:"name"`
	Source       string      `json:"source"`
	Split        string      `json:"split"`
	Verification y2017.Share `json:"verification_ap"`
	Matching     y2017.Share `json:"matching_map"`
	Retrieval    y2017.Share `json:"retrieval_map"`
	// Deviations are the differences between the published set-up and the one at hand.
	Deviations []string `json:"deviations"`
}

// addPublished adds published results, with their sources and deviations, to a table of
// PatchTasks, of the tasks that were run. ownSource names the source in each row, not below the
// table. Groups of one row mark no best value: protocols differ.
func addPublished(t *table.Table, list []PublishedPatches, run y2017.Summary, ownSource bool) {
	t.Columns = append(t.Columns, table.Titled("source", table.Words, 0))
	t.Best = "of your descriptors, without published results"
	for i := range t.Rows {
		t.Rows[i].Cells = append(t.Rows[i].Cells, table.Text("ours"))
	}
	var sources []string
	for _, p := range list {
		source := p.Source
		if len(p.Deviations) > 0 {
			source += "; " + strings.Join(p.Deviations, "; ")
		}
		if !ownSource {
			i := slices.Index(sources, source)
			if i < 0 {
				i, sources = len(sources), append(sources, source)
			}
			source = letter(i)
		}
		cells := []table.Cell{table.Text(p.Name), optional(p.Verification), optional(p.Matching), optional(p.Retrieval), table.Text(source)}
		for i, ours := range []*y2017.Estimate{run.Verification, run.Matching, run.Retrieval} {
			if ours == nil { // not run
				cells[1+i] = table.Cell{}
			}
		}
		t.AddTo(p.Name+p.Source, cells...)
	}
	NoteSources(t, sources)
}

// letter names a source.
func letter(i int) string { return string(rune('a' + i)) }

// NoteSources says below a table which sources its letters name.
func NoteSources(t *table.Table, sources []string) {
	for i, source := range sources {
		t.Note("%s: %s", letter(i), source)
	}
}
