package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

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
	if !c.defined() {
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

// writeCSV writes a header and the rows with all digits, shares as fractions. A
// column has further fields if one of its cells has any. What is undefined is
// empty.
func (t *Table) writeCSV(out io.Writer) error {
	rows := make([][]string, 1+len(t.Rows))
	for i, c := range t.Columns {
		for _, f := range fields {
			if f.suffix != "" && !slices.ContainsFunc(t.Rows, func(r Row) bool { return f.of(r.Cells[i]) != nil }) {
				continue
			}
			rows[0] = append(rows[0], c.Name+f.suffix)
			for r, row := range t.Rows {
				rows[1+r] = append(rows[1+r], exact(f.of(row.Cells[i])))
			}
		}
	}
	return csv.NewWriter(out).WriteAll(rows)
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

// writeJSON writes an object with the caption, the rows as objects with the fields
// of CSV, and the notes. What is undefined is absent.
func (t *Table) writeJSON(out io.Writer) error {
	rows := make([]Object, len(t.Rows))
	for r, row := range t.Rows {
		for i, c := range t.Columns {
			for _, f := range fields {
				if v := f.of(row.Cells[i]); v != nil {
					rows[r] = append(rows[r], Member{c.Name + f.suffix, v})
				}
			}
		}
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Caption string   `json:"caption,omitempty"`
		Rows    []Object `json:"rows"`
		Notes   []string `json:"notes,omitempty"`
	}{line(t.Caption), rows, t.Explained()})
}

// An Object is a JSON object with its members in order.
type Object []Member

// A Member is a member of an Object.
type Member struct {
	Name  string
	Value any
}

// Add appends a member.
func (o *Object) Add(name string, value any) { *o = append(*o, Member{name, value}) }

// Number appends a number, unless it is undefined or infinite.
func (o *Object) Number(name string, v float64) {
	if v-v == 0 {
		o.Add(name, v)
	}
}

// MarshalJSON encodes the members in order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
