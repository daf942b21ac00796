package importer

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"descbench/descriptors"
	"descbench/keypoints/keypointio"
	"descbench/keypoints/openfile"
)

// readCSV reads the descriptor's columns of a table and passes the others to
// keypointio.
func readCSV(content []byte, o Options) (*Features, error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff")) // some spreadsheets write a byte order mark
	in := csv.NewReader(openfile.Records(bytes.NewReader(content), keypointio.MaxRecordBytes))
	in.ReuseRecord = true
	header, err := in.Read()
	if err == io.EOF {
		return nil, errors.New("the file is empty, want a first line with the column names")
	}
	if err != nil {
		return nil, err
	}
	c, err := parseColumns(header)
	if err != nil {
		return nil, err
	}
	elements, err := o.typeOf("", len(c.elements), false)
	if err != nil {
		return nil, err
	}
	if n := len(c.elements); n > maxColumns(elements) {
		return nil, fmt.Errorf("line 1: %d descriptor columns, want at most %d", n, maxColumns(elements))
	}
	m := &descriptors.Matrix{Dim: dimOf(len(c.elements), elements), Type: elements}
	bytesOnly := true
	for ; ; m.Rows++ {
		fields, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		line, _ := in.FieldPos(0)
		for d, column := range c.elements {
			v, err := parseElement(fields[column], elements)
			if err != nil {
				return nil, fmt.Errorf("line %d, row %d: d%d %w", line, m.Rows, d, err)
			}
			bytesOnly = bytesOnly && o.Elements == "" && isByte(fields[column])
			if elements == descriptors.Float32 {
				m.Float32 = append(m.Float32, float32(v))
			} else {
				m.Uint8 = append(m.Uint8, uint8(v))
			}
		}
		c.pass(line, fields)
	}
	if _, err := o.typeOf("", len(c.elements), bytesOnly && m.Rows > 0); err != nil {
		return nil, err
	}
	c.rest.Flush()
	set, ignored, err := keypointio.ReadCSV(&c.table)
	if err != nil {
		return nil, err
	}
	return &Features{Keypoints: set, Descriptors: m, Ignored: ignored}, nil
}

// columns locates the columns of a table.
type columns struct {
	elements []int // element d of the descriptor is in column elements[d]
	others   []int
	table    bytes.Buffer // the other columns, on their original lines
	rest     *csv.Writer  // writes to table
	lines    int          // lines written to table
}

func parseColumns(header []string) (*columns, error) {
	c := &columns{}
	c.rest = csv.NewWriter(&c.table)
	names := make([]string, len(header))
	at := map[int]int{}
	for i, name := range header {
		names[i] = strings.ToLower(strings.TrimSpace(name))
		d, ok := elementNumber(names[i])
		if !ok {
			c.others = append(c.others, i)
			if names[i] == "score" {
				names[i] = "response"
			}
			continue
		}
		if _, twice := at[d]; twice {
			return nil, fmt.Errorf("line 1: two columns are named d%d", d)
		}
		at[d] = i
	}
	if len(at) == 0 || len(c.others) == 0 {
		return nil, fmt.Errorf("line 1: columns %.100q, want x, y and the descriptor elements d0, d1 and so on", strings.Join(header, ","))
	}
	for d := range len(at) {
		column, ok := at[d]
		if !ok {
			return nil, fmt.Errorf("line 1: %d descriptor columns, but no d%d, want d0 to d%d", len(at), d, len(at)-1)
		}
		c.elements = append(c.elements, column)
	}
	c.pass(1, names)
	return c, nil
}

// elementNumber returns n for the column name dn.
func elementNumber(name string) (n int, ok bool) {
	digits, ok := strings.CutPrefix(name, "d")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && strconv.Itoa(n) == digits && n >= 0
}

// pass writes the other fields of a line to the table for keypointio, on the
// same line number. Writing to a bytes.Buffer cannot fail.
func (c *columns) pass(line int, fields []string) {
	if c.lines < line-1 {
		c.rest.Flush()
		for ; c.lines < line-1; c.lines++ {
			c.table.WriteByte('\n')
		}
	}
	others := make([]string, len(c.others))
	for i, column := range c.others {
		others[i] = fields[column]
		c.lines += strings.Count(others[i], "\n")
	}
	_ = c.rest.Write(others)
	c.lines++
}

func parseElement(field string, elements descriptors.ElementType) (float64, error) {
	field = strings.TrimSpace(field)
	if elements == descriptors.Float32 {
		v, err := strconv.ParseFloat(field, 32)
		if err != nil && !errors.Is(err, strconv.ErrRange) { // out of range: v is infinite
			return 0, fmt.Errorf("is %q, want a number", field)
		}
		return v, nil
	}
	v, err := strconv.ParseUint(field, 10, 8)
	if err != nil {
		return 0, fmt.Errorf("is %q, want a whole number from 0 to 255 for %v rows", field, elements)
	}
	return float64(v), nil
}

// isByte reports whether a field is a whole number from 0 to 255, written as one.
func isByte(field string) bool {
	_, err := strconv.ParseUint(strings.TrimSpace(field), 10, 8)
	return err == nil
}
