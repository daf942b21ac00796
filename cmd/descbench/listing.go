package main

import (
	"fmt"
	"io"

	"descbench/eval/fact"
	"descbench/pipeline/report/table"
)

// A listing is lines of a name, their kind, and what there is to say about it, below each other.
type listing []table.Note

func (l *listing) add(name, format string, args ...any) {
	*l = append(*l, table.Note{Fact: fact.New(fact.Kind(name)), Text: fmt.Sprintf(format, args...)})
}

// print prints the lines, the first warnings and unusable files and the number of the others.
func (l listing) print(out io.Writer) error {
	const most = 10
	t := table.New(table.Column{Unit: table.Words}, table.Column{Unit: table.Words})
	all, printed := make(map[fact.Kind]int), make(map[fact.Kind]int)
	for _, line := range l {
		all[line.Kind]++
	}
	for _, line := range l {
		printed[line.Kind]++
		switch n := printed[line.Kind]; {
		case n <= most || line.Kind != "warning" && line.Kind != "unusable":
			t.Add(table.Text(string(line.Kind)), table.Text(line.Text))
		case n == most+1:
			t.Add(table.Text(string(line.Kind)), table.Text(fmt.Sprintf("%d more (--json lists all)", all[line.Kind]-most)))
		}
	}
	return t.Write(out, table.AsText, 0)
}
