package main

import (
	"fmt"
	"strings"

	"descbench/pipeline/report/table"
)

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

// writeEntry says what a name is and, by titles, what else there is to know about it, without what is "".
func writeEntry(b *strings.Builder, name, what string, about [][2]string) {
	b.WriteString(table.WrapIndented("  "+name+": "+what, table.PageWidth, "    ") + "\n")
	for _, a := range about {
		if line := fmt.Sprintf("    %-11s  %s", a[0], a[1]); a[1] != "" {
			b.WriteString(table.WrapIndented(line, table.PageWidth, strings.Repeat(" ", 8)) + "\n")
		}
	}
}
