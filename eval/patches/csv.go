package patches

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"

	"descbench/descriptors"
	"descbench/eval/internal/decimal"
	"descbench/eval/internal/text"
)

// CSV holds the options for reading descriptor files.
type CSV struct {
	// Packed reports that each number packs eight bits, the most significant bit
	// first. The rows then have type Bits.
	Packed bool
	// Workers is the number of goroutines; less than 1 means GOMAXPROCS.
	Workers int
}

// parseDescriptors reads a descriptor file: one line per patch, without a header,
// with the same number of values in each line. Values are separated by commas,
// semicolons, tabs or blanks; the first line determines the separator. Blanks around
// a value are allowed. Values are rounded to float32, as in the benchmark's own
// readers, and become Uint8 rows if all are integers from 0 to 255. Rows with a NaN
// or infinite value are marked invalid. Packed values become the bits of their bytes.
// name is the file name in faults.
func parseDescriptors(name string, data []byte, packed bool) (*descriptors.Matrix, error) {
	data = bytes.TrimRight(data, " \t\r\n")
	if len(data) == 0 {
		return nil, &Fault{File: name, Reason: "no descriptors"}
	}
	t := newTable(name, data)
	if err := t.checkSize(); err != nil {
		return nil, err
	}
	if err := t.parse(); err != nil {
		return nil, err
	}
	if packed {
		return t.unpack()
	}
	if t.values == nil {
		return &descriptors.Matrix{Rows: t.rows, Dim: t.dim, Type: descriptors.Uint8, Uint8: t.small}, nil
	}
	return compact(t.rows, t.dim, t.values), nil
}

// A table is a descriptor file that is being parsed.
type table struct {
	name      string
	data      []byte
	separator byte // ' ' stands for any number of blanks and tabs
	rows, dim int
	small     []uint8   // rows×dim, while all values fit
	values    []float32 // rows×dim, from the first row on whose values do not fit in small
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

// parse fills small or, as soon as a value does not fit, values.
func (t *table) parse() error {
	t.small = make([]uint8, t.rows*t.dim)
	buffer := make([]float32, t.dim)
	at := 0
	for row := range t.rows {
		from, to := row*t.dim, (row+1)*t.dim
		if t.values != nil {
			buffer = t.values[from:to]
		} else if n := t.parseSmall(t.small[from:to], at); n > 0 {
			at = n
			continue
		}
		n, err := t.parseRow(buffer, t.data[at:], row)
		if err != nil {
			return err
		}
		at += n
		if t.values == nil && !narrow(t.small[from:to], buffer) {
			t.values = make([]float32, t.rows*t.dim)
			for i, v := range t.small[:from] {
				t.values[i] = float32(v)
			}
			copy(t.values[from:], buffer)
		}
	}
	return nil
}

// parseSmall parses the line at the given position of the file if it has the plainest
// form: integers from 0 to 255 of up to three digits with one separator between them.
// It returns the position of the next line; 0 for lines of any other form, and for
// those that are near the start or end of the file.
//
// The numbers' lengths are unpredictable, and branches that depend on them would take
// most of the time. So the ends of all numbers in 64 bytes are found first (after
// Langdale and Lemire, Parsing gigabytes of JSON per second, VLDB Journal 2019).
func (t *table) parseSmall(row []uint8, at int) int {
	const before = 4 // a number is loaded together with what is before it
	data, separator := t.data, t.separator
	var block *[before + 64]byte // starts before at
	ends, start := uint64(0), 0  // positions in the block less before
	for i := range row {
		if ends == 0 {
			at, start = at+start, 0
			if at < before || len(data)-at < 64 {
				return 0
			}
			block = (*[before + 64]byte)(data[at-before:])
			if ends = notDigits((*[64]byte)(block[before:])); ends == 0 {
				return 0
			}
		}
		end := bits.TrailingZeros64(ends) & 63
		ends &= ends - 1
		length := end - start
		if length < 1 || length > 3 {
			return 0
		}
		digits := binary.LittleEndian.Uint32(block[end:end+before]) & digitsOf[length]
		if bits.ReverseBytes32(digits) > 0x020505 { // 255
			return 0
		}
		row[i] = uint8(digits * (100<<16 + 10<<8 + 1) >> 24)
		start = end + 1
		if c := block[before+end]; c != separator {
			if c == '\n' && i == len(row)-1 {
				return at + start
			}
			return 0
		}
	}
	return 0
}

// digitsOf selects the digits of a number by its length from the four bytes that end
// with it.
var digitsOf = [...]uint32{1: 0x0f000000, 2: 0x0f0f0000, 3: 0x0f0f0f00}

// notDigits returns a bit for each byte, the lowest for the first. It is set if the
// byte is not a digit. Bits above that of a byte that is not ASCII may be wrong.
func notDigits(b *[64]byte) uint64 {
	const each = 0x0101010101010101
	set := uint64(0)
	for i := 0; i < 64; i += 8 {
		word := binary.LittleEndian.Uint64(b[i:i+8]) ^ each*'0' // digits become 0 to 9
		top := (word + each*(0x80-10) | word) & (each * 0x80)
		set |= top * 0x0002040810204081 >> 56 << i // gathers the top bits of the bytes
	}
	return set
}

// parseRow parses the line at the start of b and returns its number of bytes,
// including the line end.
func (t *table) parseRow(values []float32, b []byte, row int) (int, error) {
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
			value, n := decimal.Single(b[start:])
			if n == 0 {
				return 0, t.noNumber(b, row, column, start)
			}
			values[column] = value
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

// unpack takes each value for eight bits.
func (t *table) unpack() (*descriptors.Matrix, error) {
	for i, v := range t.values {
		if v != float32(uint8(v)) {
			return nil, &Fault{File: t.name, Line: i/t.dim + 1, Reason: fmt.Sprintf("column %d is %v, want eight bits as an integer from 0 to 255", i%t.dim+1, v)}
		}
	}
	return &descriptors.Matrix{Rows: t.rows, Dim: 8 * t.dim, Type: descriptors.Bits, Uint8: t.small}, nil
}

// compact returns the rows as Uint8 if this type represents them exactly. Otherwise
// it returns Float32 rows, and marks rows that are not finite as invalid.
func compact(rows, dim int, values []float32) *descriptors.Matrix {
	m := &descriptors.Matrix{Rows: rows, Dim: dim, Type: descriptors.Uint8, Uint8: make([]uint8, len(values))}
	if narrow(m.Uint8, values) {
		return m
	}
	m.Type, m.Uint8, m.Float32 = descriptors.Float32, nil, values
	for i, v := range values {
		if v-v != 0 { // NaN or infinite
			m.Mark(i / dim)
		}
	}
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
