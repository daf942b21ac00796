package main

import (
	"fmt"
	"io"

	"descbench/pipeline/report/table"
)

// facts are lines of a name, their kind, and what there is to say about it, below each other.
type facts []table.Note

func (f *facts) add(name, format string, args ...any) {
	*f = append(*f, table.Note{Kind: name, Text: fmt.Sprintf(format, args...)})
}

// print prints the facts, the first warnings and unusable files and the number of the others.
func (f facts) print(out io.Writer) error {
	const most = 10
	t := table.New(table.Column{Unit: table.Words}, table.Column{Unit: table.Words})
	all, printed := make(map[string]int), make(map[string]int)
	for _, fact := range f {
		all[fact.Kind]++
	}
	for _, fact := range f {
		printed[fact.Kind]++
		switch n := printed[fact.Kind]; {
		case n <= most || fact.Kind != "warning" && fact.Kind != "unusable":
			t.Add(table.Text(fact.Kind), table.Text(fact.Text))
		case n == most+1:
			t.Add(table.Text(fact.Kind), table.Text(fmt.Sprintf("%d more (--json lists all)", all[fact.Kind]-most)))
		}
	}
	return t.Write(out, table.AsText, 0)
}
