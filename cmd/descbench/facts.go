package main

import (
	"fmt"
	"io"

	"descbench/pipeline/report/table"
)

// facts are lines of a name and what there is to say about it, below each other.
type facts struct{ lines *table.Table }

func newFacts() facts {
	return facts{table.New(table.Column{Unit: table.Words}, table.Column{Unit: table.Words})}
}

func (f facts) add(name, format string, args ...any) {
	f.lines.Add(table.Text(name), table.Text(fmt.Sprintf(format, args...)))
}

func (f facts) print(out io.Writer) error { return f.lines.Write(out, table.AsText, 0) }
