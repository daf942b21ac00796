package patches

import (
	"bytes"
	"fmt"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
	"descbench/eval/internal/decimal"
	"descbench/eval/patches/internal/text"
)

// CSV holds the options for reading descriptor files.
type CSV struct {
	// Packed reports that each number packs eight bits, the most significant bit
	// first. The rows then have type Bits.
	Packed bool
	// Workers is the number of goroutines; less than 1 means GOMAXPROCS.
	Workers int
}

// minChunk is the smallest part of a file, in bytes, that is worth a goroutine.
const minChunk = 64 << 10

// parseDescriptors reads a descriptor file: one line per patch, without a header,
// with the same number of values in each line. Values are separated by commas,
// semicolons, tabs or blanks; the first line determines the separator. Blanks around
// a value are allowed. Values are rounded to float32, as in the benchmark's own
// readers, and become Uint8 rows if all are integers from 0 to 255. Rows with a NaN
// or infinite value are marked invalid. name is the file name in faults.
func parseDescriptors(name string, data []byte, opt CSV) (*descriptors.Matrix, error) {
	data = bytes.TrimRight(data, " \t\r\n")
	if len(data) == 0 {
		return nil, &Fault{File: name, Reason: "no descriptors"}
	}
	p := newTable(name, data)
	if err := p.checkSize(); err != nil {
		return nil, err
	}
	p.values = make([]float32, p.rows*p.dim)
	if err := p.parse(opt.Workers); err != nil {
		return nil, err
	}
	if opt.Packed {
		return p.unpack()
	}
	return compact(p.rows, p.dim, p.values), nil
}

// A table is a descriptor file that is being parsed.
type table struct {
	name      string
	data      []byte
	separator byte // ' ' stands for any number of blanks and tabs
	rows, dim int
	values    []float32 // rows×dim
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

// checkSize returns an error if the file is too small for its number of lines, each
// with as many values as the first: a value and its separator take two bytes.
func (t *table) checkSize() error {
	if t.dim > 0 && t.rows <= (len(t.data)+1)/2/t.dim {
		return nil
	}
	number := 0
	for row := range bytes.Lines(t.data) {
		number++
		row = line(row)
		if n := t.columns(row); n != t.dim || n == 0 {
			return t.ragged(number, n)
		}
		for column, field := range bytes.Split(row, []byte{t.separator}) {
			if t.separator != ' ' && len(text.Trim(field)) == 0 {
				return t.noValue(number, column, field)
			}
		}
	}
	return &Fault{File: t.name, Reason: "values are missing"}
}

func (t *table) ragged(line, n int) error {
	if n == 0 {
		return &Fault{File: t.name, Line: line, Reason: "empty line"}
	}
	return &Fault{File: t.name, Line: line, Reason: fmt.Sprintf("%d values, want %d as in line 1", n, t.dim)}
}

// parse splits the file at line ends into one chunk per worker.
func (t *table) parse(workers int) error {
	n := max(1, min(Workers(workers), len(t.data)/minChunk))
	faults := make([]error, n)
	var g errgroup.Group
	row, start := 0, 0
	for i := range n {
		end := len(t.data)
		if i < n-1 {
			end = max(start, len(t.data)/n*(i+1))
			if at := bytes.IndexByte(t.data[end:], '\n'); at >= 0 {
				end += at + 1
			} else {
				end = len(t.data)
			}
		}
		chunk, first := t.data[start:end], row
		g.Go(func() error {
			faults[i] = t.parseChunk(chunk, first)
			return nil
		})
		row += bytes.Count(chunk, []byte{'\n'})
		start = end
	}
	_ = g.Wait()
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

// parseChunk parses the lines of b; row is the number of the first line, from 0.
func (t *table) parseChunk(b []byte, row int) error {
	for at := 0; at < len(b); row++ {
		n, err := t.parseRow(b[at:], row)
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

// parseRow parses the line at the start of b and returns its number of bytes,
// including the line end.
func (t *table) parseRow(b []byte, row int) (int, error) {
	values := t.values[row*t.dim : (row+1)*t.dim]
	at := 0
	for column := range values {
		for at < len(b) && isBlank(b[at]) {
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
			value, n := decimal.Number(b[start:])
			if n == 0 {
				return 0, t.noNumber(b, row, column, start)
			}
			values[column] = float32(value)
			at = start + n
		}
		blanks := at
		for at < len(b) && isBlank(b[at]) {
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
		field = field[:end]
	}
	return t.noValue(row+1, column, field)
}

func (t *table) noValue(line, column int, field []byte) error {
	return &Fault{File: t.name, Line: line, Reason: fmt.Sprintf("column %d is %s, want a number", column+1, text.Quote(text.Trim(field)))}
}

// line returns b up to the end of its first line.
func line(b []byte) []byte {
	if end := bytes.IndexByte(b, '\n'); end >= 0 {
		b = b[:end]
	}
	return text.Trim(b)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// unpack converts each value to eight bits.
func (t *table) unpack() (*descriptors.Matrix, error) {
	m := descriptors.New(t.rows, 8*t.dim, descriptors.Bits)
	for i, v := range t.values {
		m.Uint8[i] = uint8(v)
		if v != float32(m.Uint8[i]) {
			return nil, &Fault{File: t.name, Line: i/t.dim + 1, Reason: fmt.Sprintf("column %d is %v, want eight bits as an integer from 0 to 255", i%t.dim+1, v)}
		}
	}
	return m, nil
}

// compact returns the rows as Uint8 if this type represents them exactly. Otherwise
// it returns Float32 rows, and marks rows that are not finite as invalid.
func compact(rows, dim int, values []float32) *descriptors.Matrix {
	m := &descriptors.Matrix{Rows: rows, Dim: dim}
	if small := asUint8(values); small != nil {
		m.Type, m.Uint8 = descriptors.Uint8, small
		return m
	}
	m.Type, m.Float32 = descriptors.Float32, values
	for i, v := range values {
		if v-v != 0 { // NaN or infinite
			m.Mark(i / dim)
		}
	}
	return m
}

func asUint8(values []float32) []uint8 {
	for _, v := range values {
		if v != float32(uint8(v)) {
			return nil
		}
	}
	small := make([]uint8, len(values))
	for i, v := range values {
		small[i] = uint8(v)
	}
	return small
}
