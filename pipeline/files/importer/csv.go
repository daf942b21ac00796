package importer

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"descbench/descriptors"
	"descbench/eval/spelling"
	"descbench/eval/text"
	"descbench/keypoints"
	"descbench/pipeline/files/keypointio"
)

// readCSV reads a table with the columns of keypoints and of descriptors.
func readCSV(r io.Reader, o Options) (*Features, error) {
	table, err := keypointio.NewTable(r, func(name string) bool { return !o.KeypointsOnly && elementNumber(name) >= 0 })
	if err != nil {
		return nil, err
	}
	f := &Features{Ignored: table.Ignored}
	if o.KeypointsOnly {
		return f, table.Each(func(k keypoints.Keypoint, _ []string) error {
			f.Keypoints.Keypoints = append(f.Keypoints.Keypoints, k)
			return nil
		})
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
	m := &descriptors.Matrix{Dim: dimOf(len(columns), elements), Type: elements}
	f.Descriptors = m
	bytesOnly := o.Elements == ""
	err = table.Each(func(k keypoints.Keypoint, fields []string) error {
		for d, column := range columns {
			v, err := parseElement(fields[column], elements)
			if err != nil {
				return fmt.Errorf("d%d %w", d, err)
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
		f.Keypoints.Keypoints = append(f.Keypoints.Keypoints, k)
		return nil
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
func elementColumns(table *keypointio.Table) ([]int, error) {
	if len(table.Others) == 0 {
		return nil, fmt.Errorf("line 1: columns %s; want x, y and the descriptor elements d0, d1 and so on", spelling.Few(table.Header, 8))
	}
	columns := make([]int, len(table.Others))
	for d := range columns {
		column, ok := table.Others[fmt.Sprint("d", d)]
		if !ok {
			return nil, fmt.Errorf("line 1: %d descriptor columns, but no d%d, want d0 to d%d", len(columns), d, len(columns)-1)
		}
		columns[d] = column
	}
	return columns, nil
}

// elementNumber returns n for the column name dn, -1 for other names.
func elementNumber(name string) int {
	digits, _ := strings.CutPrefix(name, "d")
	n, err := strconv.Atoi(digits)
	if err != nil || fmt.Sprint("d", n) != name {
		return -1
	}
	return n
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
