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

// PublishedPatchTasks returns a table of published results, with their sources and
// deviations below it.
func PublishedPatchTasks(list []PublishedPatches) *table.Table {
	t := table.New(
		table.Titled("published", table.Words, 0), table.Titled("verification", table.Share, 0),
		table.Titled("matching", table.Share, 0), table.Titled("retrieval", table.Share, 0),
		table.Titled("source", table.Words, 0),
	)
	t.Caption = "Published results (%)"
	var sources, notes []string
	for _, p := range list {
		if !slices.Contains(sources, p.Source) {
			sources = append(sources, p.Source)
		}
		t.Add(table.Text(p.Name), table.Number(float64(p.Verification)), table.Number(float64(p.Matching)), table.Number(float64(p.Retrieval)),
			table.Text(letter(slices.Index(sources, p.Source))))
		if note := strings.Join(p.Deviations, "; "); !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	for i, source := range sources {
		t.Note("%s: %s", letter(i), source)
	}
	for _, note := range notes {
		t.Note("deviations: %s", note)
	}
	return t
}

// letter names a source.
func letter(i int) string { return string(rune('a' + i)) }
