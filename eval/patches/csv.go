package patches

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

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
	first := line(data)
	t := &table{name: name, data: data, separator: ' ', rows: bytes.Count(data, []byte{'\n'}) + 1}
	for _, c := range []byte{';', ','} {
		if bytes.IndexByte(first, c) >= 0 {
			t.separator = c
			break
		}
	}
	t.dim = len(t.fields(first))
	return t
}

// line returns b up to the end of its first line, without surrounding blanks.
func line(b []byte) []byte {
	if end := bytes.IndexByte(b, '\n'); end >= 0 {
		b = b[:end]
	}
	return text.Trim(b)
}

// fields returns the fields of a line.
func (t *table) fields(line []byte) [][]byte {
	if t.separator == ' ' || len(line) == 0 {
		return bytes.FieldsFunc(line, func(r rune) bool { return r < utf8.RuneSelf && text.IsBlank(byte(r)) })
	}
	fields := bytes.Split(line, []byte{t.separator})
	for i, f := range fields {
		fields[i] = text.Trim(f)
	}
	return fields
}

// parse returns the values of all lines. It takes no more memory than the file needs, however
// many lines have fewer values than the first: a value and its separator take two bytes.
func (t *table) parse() ([]float32, error) {
	values := make([]float32, 0, min(t.rows*t.dim, (len(t.data)+1)/2))
	at := 0
	for row := range t.rows {
		values = slices.Grow(values, t.dim)[:(row+1)*t.dim]
		n, ok := t.parseRow(values[row*t.dim:], t.data[at:])
		if !ok {
			return nil, &Fault{File: t.name, Line: row + 1, Reason: t.reason(line(t.data[at:]), row)}
		}
		at += n
	}
	return values, nil
}

// parseRow parses the line at the start of b and returns its number of bytes,
// including the line end. ok is false if it does not have these values.
func (t *table) parseRow(values []float32, b []byte) (n int, ok bool) {
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
				return 0, false
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
			return min(at+1, len(b)), last
		case last:
			return 0, false
		case b[at] == t.separator:
			at++
		case t.separator != ' ' || at == blanks:
			return 0, false
		}
	}
	return 0, false
}

// reason returns what is wrong with a line that could not be parsed.
func (t *table) reason(line []byte, row int) string {
	fields := t.fields(line)
	switch n := len(fields); n {
	case 0:
		return "empty line"
	case t.dim:
	default:
		return fmt.Sprintf("%d values, want %d as in line 1", n, t.dim)
	}
	column := slices.IndexFunc(fields, func(f []byte) bool { return !isNumber(string(f)) })
	field, want := fields[column], "a number"
	switch first := row == 0 && len(field) == 0; {
	case t.separator != ',' && bytes.Count(field, []byte{','}) == 1 && isNumber(strings.Replace(string(field), ",", ".", 1)):
		return "values have decimal commas, want decimal points" // the same in all files
	case first && column == 0: // the corner of a header and an index
		want += "; write with header=False, index=False"
	case first && column == t.dim-1:
		want += "; is there a separator at the end of the line?"
	}
	return fmt.Sprintf("column %d is %s, want %s", column+1, text.Quote(field), want)
}

func isNumber(field string) bool {
	_, ok := text.Number(field, 64)
	return ok
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
