package importer

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"descbench/descriptors"
	"descbench/eval/text"
	"descbench/pipeline/files"
	"descbench/pipeline/files/keypointio"
)

// readCSV reads a table with the columns of keypoints and of descriptors.
func readCSV(r io.Reader, o Options) (*Features, error) {
	table, err := files.NewTable(r, keypointio.MaxRecordBytes, func(name string) string {
		if _, ok := elementNumber(name); ok {
			return name
		}
		return keypointio.ColumnName(name)
	})
	if err != nil {
		return nil, err
	}
	columns, err := elementColumns(table)
	if err != nil {
		return nil, err
	}
	elements, err := o.typeOf("", len(columns), false)
	if err != nil {
		return nil, err
	}
	if n := len(columns); n > maxColumns(elements) {
		return nil, fmt.Errorf("line 1: %d descriptor columns, want at most %d", n, maxColumns(elements))
	}
	rows, err := keypointio.NewRows(table)
	if err != nil {
		return nil, err
	}
	m := &descriptors.Matrix{Dim: dimOf(len(columns), elements), Type: elements}
	f := &Features{Descriptors: m, Ignored: rows.Ignored}
	bytesOnly := o.Elements == ""
	err = table.Each(func(fields []string) error {
		for d, column := range columns {
			v, err := parseElement(fields[column], elements)
			if err != nil {
				return fmt.Errorf("line %d, row %d: d%d %w", table.Line(column), m.Rows, d, err)
			}
			if bytesOnly {
				_, err := parseElement(fields[column], descriptors.Uint8)
				bytesOnly = err == nil
			}
			if elements == descriptors.Float32 {
				m.Float32 = append(m.Float32, float32(v))
			} else {
				m.Uint8 = append(m.Uint8, uint8(v))
			}
		}
		m.Rows++
		return rows.Append(&f.Keypoints, fields)
	})
	if err != nil {
		return nil, err
	}
	if _, err := o.typeOf("", len(columns), bytesOnly && m.Rows > 0); err != nil {
		return nil, err
	}
	return f, nil
}

// elementColumns returns the column of each element of the descriptor.
func elementColumns(table *files.Table) ([]int, error) {
	at := map[int]int{}
	for i, name := range table.Columns {
		if d, ok := elementNumber(name); ok {
			at[d] = i
		}
	}
	if len(at) == 0 || len(at) == len(table.Columns) {
		return nil, fmt.Errorf("line 1: columns %.100q, want x, y and the descriptor elements d0, d1 and so on", strings.Join(table.Header, ","))
	}
	columns := make([]int, len(at))
	for d := range columns {
		column, ok := at[d]
		if !ok {
			return nil, fmt.Errorf("line 1: %d descriptor columns, but no d%d, want d0 to d%d", len(at), d, len(at)-1)
		}
		columns[d] = column
	}
	return columns, nil
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

func parseElement(field string, elements descriptors.ElementType) (float64, error) {
	field = strings.TrimSpace(field)
	if elements == descriptors.Float32 {
		v, ok := text.Number(field, 32)
		if !ok {
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
