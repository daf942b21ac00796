package main

import (
	"fmt"
	"io"
	"slices"

	"descbench/eval/fact"
	"descbench/pipeline/report/table"
)

// A listing is lines of a name, their kind, and what there is to say about it, below each other.
type listing []table.Note

func (l *listing) add(name, format string, args ...any) {
	*l = append(*l, table.Note{Fact: fact.New(fact.Kind(name)), Text: fmt.Sprintf(format, args...)})
}

// shortened returns the lines, of some kinds only the first ten and the number of the others.
func (l listing) shortened(kinds ...fact.Kind) (out listing) {
	const most = 10
	all, before := make(map[fact.Kind]int), make(map[fact.Kind]int)
	for _, line := range l {
		all[line.Kind]++
	}
	for _, line := range l {
		before[line.Kind]++
		switch n := before[line.Kind]; {
		case n <= most || !slices.Contains(kinds, line.Kind):
			out = append(out, line)
		case n == most+1:
			out.add(string(line.Kind), "%d more (--json lists all)", all[line.Kind]-most)
		}
	}
	return out
}

// print prints the lines, shortened.
func (l listing) print(out io.Writer) error {
	t := table.New(table.Column{Unit: table.Words}, table.Column{Unit: table.Words})
	for _, line := range l.shortened("warning", "unusable") {
		addRow(t, string(line.Kind), line.Text)
	}
	return t.Write(out, table.AsText, 0)
}

// wordColumns returns columns of words with these names.
func wordColumns(names ...string) []table.Column { return columnsOf(table.Words, names) }

// countColumns returns columns of whole numbers with these names.
func countColumns(names ...string) []table.Column { return columnsOf(table.Count, names) }

func columnsOf(unit table.Unit, names []string) (columns []table.Column) {
	for _, name := range names {
		columns = append(columns, table.Titled(name, unit, 0))
	}
	return columns
}

// addRow adds a row of words, whole numbers, measured numbers and cells; "" is an empty cell.
func addRow(t *table.Table, values ...any) {
	cells := make([]table.Cell, len(values))
	for i, value := range values {
		switch v := value.(type) {
		case table.Cell:
			cells[i] = v
		case int:
			cells[i] = table.Integer(v)
		case float64:
			cells[i] = table.Number(v)
		case string:
			if v != "" {
				cells[i] = table.Text(v)
			}
		}
	}
	t.Add(cells...)
}
