package patches

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"descbench/descriptors"
	"descbench/eval/text"
)

// readDescriptors reads a descriptor file: one line per patch, without a header,
// with the same number of values in each line. Values are separated by commas,
// semicolons, tabs or blanks; the first line determines the separator. Blanks around
// a value are allowed. Values are rounded to float32, as in the benchmark's own
// readers, and become Uint8 rows if all are integers from 0 to 255. Rows with a NaN
// or infinite value are marked invalid. name is the file name in faults.
func readDescriptors(name string, r io.Reader) (*descriptors.Matrix, error) {
	data, err := text.All(name, r)
	if err != nil {
		return nil, err
	}
	if data = bytes.TrimPrefix(data, []byte("\ufeff")); len(data) == 0 {
		return nil, &Fault{File: name, Reason: "no descriptors"}
	}
	t := newTable(name, data)
	values, err := t.parse()
	if err != nil {
		return nil, err
	}
	m := compact(t.rows, t.dim, values)
	return m, checkNumbered(name, m)
}

// checkNumbered returns an error if the first line or column only counts the columns or
// lines, as pandas writes them by default.
func checkNumbered(name string, m *descriptors.Matrix) error {
	at := func(i int) float32 {
		if m.Type == descriptors.Uint8 {
			return float32(m.Uint8[i])
		}
		return m.Float32[i]
	}
	// counts reports whether n values, step elements apart, are consecutive. Those of a
	// descriptor or a column of one are not, if there are more than a few.
	counts := func(n, step int) bool {
		for i := range n {
			if at(i*step) != at(0)+float32(i) {
				return false
			}
		}
		return n >= 5
	}
	switch {
	case counts(m.Dim, 1):
		return &Fault{File: name, Line: 1, Reason: fmt.Sprintf("counts the columns (%g, %g, %g, ...): a header, not a descriptor; write with header=False", at(0), at(1), at(2))}
	case m.Dim > 1 && counts(m.Rows, m.Dim):
		return &Fault{File: name, Reason: fmt.Sprintf("column 1 counts the lines (%g, %g, %g, ...): an index, not part of a descriptor; write with index=False", at(0), at(m.Dim), at(2*m.Dim))}
	}
	return nil
}

// A table is a descriptor file that is being parsed.
type table struct {
	name      string
	data      []byte
	separator byte // ' ' stands for any number of blanks and tabs
	rows, dim int
}

func newTable(name string, data []byte) *table {
	first := data
	if end := bytes.IndexByte(data, '\n'); end >= 0 {
		first = data[:end]
	}
	t := &table{name: name, data: data, separator: ' ', rows: bytes.Count(data, []byte{'\n'}) + 1}
	for _, c := range []byte{';', ','} {
		if bytes.IndexByte(first, c) >= 0 {
			t.separator = c
			break
		}
	}
	t.dim = t.columns(first)
	return t
}

// columns counts the fields of a line.
func (t *table) columns(line []byte) int {
	if t.separator == ' ' || len(line) == 0 {
		return len(bytes.Fields(line))
	}
	return bytes.Count(line, []byte{t.separator}) + 1
}

func (t *table) ragged(line, n int) error {
	if n == 0 {
		return &Fault{File: t.name, Line: line, Reason: "empty line"}
	}
	return &Fault{File: t.name, Line: line, Reason: fmt.Sprintf("%d values, want %d as in line 1", n, t.dim)}
}

// parse returns the values of all lines. It takes no more memory than the file needs, however
// many lines have fewer values than the first: a value and its separator take two bytes.
func (t *table) parse() ([]float32, error) {
	if t.dim == 0 {
		return nil, t.ragged(1, 0)
	}
	values := make([]float32, 0, min(t.rows*t.dim, (len(t.data)+1)/2))
	at := 0
	for row := range t.rows {
		values = slices.Grow(values, t.dim)[:(row+1)*t.dim]
		n, err := t.parseRow(values[row*t.dim:], t.data[at:], row)
		if err != nil {
			return nil, err
		}
		at += n
	}
	return values, nil
}

// parseRow parses the line at the start of b and returns its number of bytes,
// including the line end.
func (t *table) parseRow(values []float32, b []byte, row int) (int, error) {
	at := 0
	for column := range values {
		for at < len(b) && text.IsBlank(b[at]) {
			at++
		}
		start, v := at, uint32(0)
		for at < len(b) && b[at]-'0' < 10 && at-start < 6 {
			v = 10*v + uint32(b[at]-'0')
			at++
		}
		if at > start && (at == len(b) || b[at] == t.separator || b[at] == '\n') {
			values[column] = float32(v) // below 10⁶: exact
		} else {
			for at < len(b) && b[at] != t.separator && b[at] != '\n' && !text.IsBlank(b[at]) {
				at++
			}
			value, ok := text.Number(string(b[start:at]), 64)
			if !ok {
				return 0, t.noNumber(b, row, column, start)
			}
			values[column] = float32(value)
		}
		blanks := at
		for at < len(b) && text.IsBlank(b[at]) {
			at++
		}
		last := column == len(values)-1
		switch {
		case at == len(b) || b[at] == '\n':
			if !last {
				return 0, t.ragged(row+1, column+1)
			}
			return min(at+1, len(b)), nil
		case last && (b[at] == t.separator || t.separator == ' ' && at > blanks):
			return 0, t.ragged(row+1, t.columns(line(b)))
		case b[at] == t.separator:
			at++
		case t.separator == ' ' && at > blanks:
		default:
			return 0, t.noNumber(b, row, column, start)
		}
	}
	panic("unreachable: the last value returns")
}

func (t *table) noNumber(b []byte, row, column, start int) error {
	if n := t.columns(line(b)); n != t.dim {
		return t.ragged(row+1, n)
	}
	field := line(b[start:])
	if end := bytes.IndexByte(field, t.separator); end >= 0 {
		field = text.Trim(field[:end])
	}
	if t.separator != ',' && bytes.Count(field, []byte{','}) == 1 {
		if _, ok := text.Number(strings.Replace(string(field), ",", ".", 1), 64); ok {
			return &Fault{File: t.name, Line: row + 1, Reason: "values have decimal commas, want decimal points"} // the same in all files
		}
	}
	want := "a number"
	if len(field) == 0 && row == 0 && column == 0 { // the corner of a header and an index
		want += "; write with header=False, index=False"
	} else if len(field) == 0 && row == 0 && column == t.dim-1 {
		want += "; is there a separator at the end of the line?"
	}
	return &Fault{File: t.name, Line: row + 1, Reason: fmt.Sprintf("column %d is %s, want %s", column+1, text.Quote(field), want)}
}

// line returns b up to the end of its first line.
func line(b []byte) []byte {
	if end := bytes.IndexByte(b, '\n'); end >= 0 {
		b = b[:end]
	}
	return text.Trim(b)
}

// compact marks rows that are not finite as invalid. It returns the rows as Uint8 if
// this type represents the others exactly, otherwise as Float32.
func compact(rows, dim int, values []float32) *descriptors.Matrix {
	m := &descriptors.Matrix{Rows: rows, Dim: dim, Type: descriptors.Float32, Float32: values}
	for i, v := range values {
		if v-v != 0 { // NaN or infinite
			m.Mark(i / dim)
		}
	}
	small := make([]uint8, len(values))
	for i := range rows {
		if !m.IsInvalid(i) && !narrow(small[i*dim:(i+1)*dim], values[i*dim:(i+1)*dim]) {
			return m
		}
	}
	m.Type, m.Uint8, m.Float32 = descriptors.Uint8, small, nil
	return m
}

// narrow converts values to bytes and reports whether that represents them exactly.
func narrow(small []uint8, values []float32) bool {
	for i, v := range values {
		small[i] = uint8(v)
		if v != float32(small[i]) {
			return false
		}
	}
	return true
}
