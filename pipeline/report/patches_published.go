package report

import (
	"strings"

	"descbench/pipeline/report/table"
)

// PublishedPatches holds the published results of a descriptor on the tasks of the
// patch benchmark.
type PublishedPatches struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	Split  string `json:"split"`
	// Matching is the mean over image pairs, Verification the mean over three noise
	// levels and two kinds of negatives, of the average precision.
	Matching     float64 `json:"matching_map"`
	Verification float64 `json:"verification_ap"`
	// Deviations are the differences between the published set-up and the one at hand.
	Deviations []string `json:"deviations"`
}

// Columns of the means over noise levels that have published values.
const (
	verificationAP = "verification ap"
	matchingMAP    = "matching mAP"
)

// addTo adds the published results to the means over noise levels of all sequences. It
// adds nothing to a table without the tasks that they are of.
func (p *PublishedPatches) addTo(t *table.Table) {
	row := []table.Cell{table.Text("published")}
	shown := false
	for _, column := range t.Columns[1:] {
		cell := table.Cell{}
		switch column.Title {
		case verificationAP:
			cell, shown = table.Number(p.Verification), true
		case matchingMAP:
			cell, shown = table.Number(p.Matching), true
		}
		row = append(row, cell)
	}
	if !shown {
		return
	}
	t.Add(row...)
	t.Note("published by %s as %s, all sequences of split %s; deviations: %s", p.Source, p.Name, p.Split, strings.Join(p.Deviations, "; "))
}
