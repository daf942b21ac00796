package table

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"descbench/eval/fact"
	"descbench/pipeline/notes"
)

// A Note is a line below a table.
type Note struct {
	fact.Fact        // the zero Fact, or the kind of what is noted, which has no other words
	Text      string `json:"text"` // for people
	Aside     bool   `json:"-"`    // about the call and the files it wrote, not the values: a comment in LaTeX
}

// Notes returns notes without a kind.
func Notes(texts ...string) []Note {
	var notes []Note
	for _, text := range texts {
		notes = append(notes, Note{Text: text})
	}
	return notes
}

// Texts returns the texts of notes.
func Texts(notes []Note) []string {
	var texts []string
	for _, note := range notes {
		texts = append(texts, note.Text)
	}
	return texts
}

// A field is what CSV and JSON have of a column: its values, or something about
// them under the column's name with a suffix.
type field struct {
	suffix string
	// of returns a string, a float64 or a bool, or nil if a cell has no such thing.
	of func(Cell) any
}

var fields = []field{
	{"", func(c Cell) any {
		switch c.kind {
		case words:
			return c.text
		case number:
			return finite(c.value)
		}
		return nil
	}},
	{"_ci_low", func(c Cell) any { return c.limit(c.low) }},
	{"_ci_high", func(c Cell) any { return c.limit(c.high) }},
	{"_std", func(c Cell) any { return c.limit(c.std) }},
	{"_significant", func(c Cell) any {
		if c.mark == Untested {
			return nil
		}
		return c.mark == Significant
	}},
	{"_note", func(c Cell) any {
		if c.note == "" {
			return nil
		}
		return c.note
	}},
}

// limit returns a limit of the cell's interval.
func (c Cell) limit(v float64) any {
	if !c.Defined() {
		return nil
	}
	return finite(v) // nil for NaN
}

// finite returns a finite number, else nil.
func finite(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}

// fields returns the names of the fields of CSV and JSON, those of each column together, and the
// values of each row. A column has further fields if one of its cells has any.
func (t *Table) fields() (names []string, rows [][]any) {
	rows = make([][]any, len(t.Rows))
	for i, c := range t.Columns {
		for _, f := range fields {
			if f.suffix != "" && !slices.ContainsFunc(t.Rows, func(r Row) bool { return f.of(r.Cells[i]) != nil }) {
				continue
			}
			names = append(names, c.Name+f.suffix)
			for r, row := range t.Rows {
				rows[r] = append(rows[r], f.of(row.Cells[i]))
			}
		}
	}
	return names, rows
}

// Lines returns what CSV cannot have: what explains columns, and the facts.
func (t *Table) Lines() []string {
	return append(Texts(t.explained()), notes.Strings(notes.Lines(t.Facts, t.RowNames()...))...)
}

// writeCSV writes a header and the rows with all digits, shares as fractions. What is undefined
// is empty.
func (t *Table) writeCSV(out io.Writer) error {
	names, rows := t.fields()
	lines := [][]string{names}
	for _, row := range rows {
		line := make([]string, len(row))
		for i, value := range row {
			line[i] = exact(value)
		}
		lines = append(lines, line)
	}
	return csv.NewWriter(out).WriteAll(lines)
}

// exact formats a value so that it reads back exactly.
func exact(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 { // a count
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(value)
}

// writeJSON writes an object with the caption in one line, the columns, the rows as objects with
// the fields of CSV, and the notes. What is undefined is null, as are words in a column of numbers.
func (t *Table) writeJSON(out io.Writer) error {
	type column struct {
		Name   string `json:"name"`
		Title  string `json:"title"`
		Unit   string `json:"unit"`
		Better string `json:"better"`
	}
	table := struct {
		Title   string           `json:"title"`
		Columns []column         `json:"columns"`
		Rows    []map[string]any `json:"rows"`
		Notes   []Note           `json:"notes"`
	}{line(t.heading()), []column{}, []map[string]any{}, append([]Note{}, t.explained()...)} // [] in JSON, not null
	for _, f := range t.Facts {
		table.Notes = append(table.Notes, Note{Fact: f, Text: notes.Text(f)})
	}
	ofNumbers := make(map[string]bool)
	for _, c := range t.Columns {
		table.Columns = append(table.Columns, column{c.Name, cmp.Or(c.Full, c.Title, c.Name), c.Unit.name, c.Better})
		ofNumbers[c.Name] = !c.Unit.words
	}
	names, rows := t.fields()
	for _, values := range rows {
		row := make(map[string]any)
		for i, name := range names {
			if _, isWord := values[i].(string); isWord && ofNumbers[name] {
				values[i] = nil
			}
			row[name] = values[i]
		}
		table.Rows = append(table.Rows, row)
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(table)
}
