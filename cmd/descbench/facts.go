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

// addSome adds the first texts of a kind, and the number of the others.
func (f facts) addSome(name string, texts []string) {
	const most = 10
	for _, text := range texts[:min(most, len(texts))] {
		f.add(name, "%s", text)
	}
	if more := len(texts) - most; more > 0 {
		f.add(name, "%d more (--json lists all)", more)
	}
}

func (f facts) print(out io.Writer) error { return f.lines.Write(out, table.AsText, 0) }
