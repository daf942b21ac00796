package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
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

// PublishedRowsTable returns the lines of a run and the published rows of its preset that
// have any of the given columns in one table. Each method has one row, and the notes name
// the sources; or each source has its own row, which names it.
func PublishedRowsTable(lines []Line, columns []Selected, rows []PublishedRow, ownSource bool) *table.Table {
	t := table.New(table.Column{Name: descriptorColumn, Title: "method", Unit: table.Words})
	for _, c := range columns {
		unit := UnitOf(c.Name)
		if unit == table.Measure && wholeNumbers(lines, c.Name) && !slices.ContainsFunc(rows, func(r PublishedRow) bool { v := r.Metrics[c.Name]; return v != math.Trunc(v) }) {
			unit = table.Count
		}
		t.Columns = append(t.Columns, table.Column{Name: c.Name, Title: cmp.Or(c.Title, catalogue.Short(c.Name)), Unit: unit})
	}
	t.Columns = append(t.Columns, table.Column{Name: "source", Title: "source", Unit: table.Words})
	shows := func(r PublishedRow) bool {
		return slices.ContainsFunc(columns, func(c Selected) bool { _, has := r.Metrics[c.Name]; return has })
	}
	for _, l := range lines {
		cells := []table.Cell{table.Text(l.Name)}
		for _, c := range columns {
			cell := table.Cell{}
			if m, ok := l.Metrics[c.Name]; ok {
				cell = table.Between(m.Value, m.Low, m.High)
			}
			cells = append(cells, cell)
		}
		t.Add(append(cells, table.Text("this run, "+l.Scenes))...)
	}
	var sources []string
	var methods []PublishedRow // Source: their numbers in sources
	for _, r := range rows {
		if !shows(r) {
			continue
		}
		if ownSource {
			methods = append(methods, r)
			continue
		}
		at := slices.Index(sources, r.Source)
		if at < 0 {
			at = len(sources)
			sources = append(sources, r.Source)
		}
		r.Source = fmt.Sprintf("[%d]", at+1)
		joins := func(m PublishedRow) bool { // unless both sources have a metric
			both := maps.Clone(m.Metrics)
			maps.Copy(both, r.Metrics)
			return m.Method == r.Method && len(both) == len(m.Metrics)+len(r.Metrics)
		}
		if i := slices.IndexFunc(methods, joins); i >= 0 {
			m := &methods[i]
			m.Metrics, m.Source = maps.Clone(m.Metrics), m.Source+" "+r.Source
			maps.Copy(m.Metrics, r.Metrics)
			continue
		}
		methods = append(methods, r)
	}
	for _, r := range methods {
		cells := []table.Cell{table.Text(r.Method)}
		for _, c := range columns {
			cell := table.Cell{}
			if v, ok := r.Metrics[c.Name]; ok {
				cell = table.Number(v)
			}
			cells = append(cells, cell)
		}
		t.Add(append(cells, table.Text(r.Source))...)
	}
	for i, s := range sources {
		t.Note("[%d] %s", i+1, s)
	}
	return t
}
