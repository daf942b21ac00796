package report

import (
	"cmp"
	"fmt"
	"slices"

	"descbench/eval/catalogue"
	"descbench/pipeline/report/table"
)

// A PublishedRow holds published values of one method under a preset.
type PublishedRow struct {
	Method  string
	Metrics map[string]float64 // by name
	Source  string             // where they were read, and what was different
}

// PublishedRowsTable returns the lines of a run and the published rows of its preset in
// one table with the given columns. The notes name the sources, or each row its own.
func PublishedRowsTable(lines []Line, columns []Selected, rows []PublishedRow, ownSource bool) *table.Table {
	t := table.New(table.Column{Name: descriptorColumn, Title: "method", Unit: table.Words})
	for _, c := range columns {
		t.Columns = append(t.Columns, table.Column{Name: c.Name, Title: cmp.Or(c.Title, catalogue.Short(c.Name)), Unit: UnitOf(c.Name)})
	}
	t.Columns = append(t.Columns, table.Column{Name: "source", Title: "source", Unit: table.Words})
	for _, l := range lines {
		cells := []table.Cell{table.Text(l.Name)}
		for _, c := range columns {
			cell := table.Cell{}
			if m, ok := l.Metrics[c.Name]; ok {
				cell = table.Between(m.Value, m.Low, m.High)
			}
			cells = append(cells, cell)
		}
		t.Add(append(cells, table.Text("this run"))...)
	}
	var sources []string
	for _, r := range rows {
		at := slices.Index(sources, r.Source)
		if at < 0 {
			at = len(sources)
			sources = append(sources, r.Source)
		}
		cells := []table.Cell{table.Text(r.Method)}
		for _, c := range columns {
			cell := table.Cell{}
			if v, ok := r.Metrics[c.Name]; ok {
				cell = table.Number(v)
			}
			cells = append(cells, cell)
		}
		source := fmt.Sprintf("[%d]", at+1)
		if ownSource {
			source = r.Source
		}
		t.Add(append(cells, table.Text(source))...)
	}
	for i, s := range sources {
		if ownSource {
			break
		}
		t.Note("[%d] %s", i+1, s)
	}
	return t
}
