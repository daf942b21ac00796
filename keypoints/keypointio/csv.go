package keypointio

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"descbench/keypoints"
	"descbench/keypoints/openfile"
)

// ReadCSV reads a table whose first line names the columns: x and y, and
// optionally size, angle, response (or score), octave and class_id, in any
// order. Case and surrounding spaces are ignored in names, as are spaces around
// numbers. Other columns are skipped, and their names are returned. An empty
// field of an optional column gets the default. Errors contain the line number.
func ReadCSV(r io.Reader) (set keypoints.Set, ignored []string, err error) {
	in := csv.NewReader(openfile.Records(r, MaxRecordBytes))
	in.ReuseRecord = true
	header, err := in.Read()
	if err == io.EOF {
		return keypoints.Set{}, nil, errors.New("the file is empty, want a first line with the column names")
	}
	if err != nil {
		return keypoints.Set{}, nil, err
	}
	columns, ignored, err := parseHeader(header)
	if err != nil {
		return keypoints.Set{}, nil, err
	}
	for {
		fields, err := in.Read()
		if err == io.EOF {
			return set, ignored, nil
		}
		if err != nil {
			return keypoints.Set{}, nil, err
		}
		k := unset
		for i, c := range columns {
			if c == nil {
				continue
			}
			if err := parse(c, strings.TrimSpace(fields[i]), &k); err != nil {
				line, _ := in.FieldPos(i)
				return keypoints.Set{}, nil, fmt.Errorf("line %d, row %d: %w", line, set.Len(), err)
			}
		}
		if set.Len() == maxKeypoints {
			return keypoints.Set{}, nil, fmt.Errorf("more than %d rows, the limit for one image", maxKeypoints)
		}
		set.Keypoints = append(set.Keypoints, k)
	}
}

// parseHeader returns the attribute of each column, nil for ignored columns.
func parseHeader(header []string) (columns []*keypoints.Column, ignored []string, err error) {
	columns = make([]*keypoints.Column, len(header))
	seen := map[string]bool{}
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))) // some spreadsheets write a byte order mark
		if name == "score" {
			name = "response"
		}
		j := slices.IndexFunc(keypoints.Columns(), func(c keypoints.Column) bool { return c.Name == name })
		if j < 0 {
			ignored = append(ignored, name)
			continue
		}
		if seen[name] {
			return nil, nil, fmt.Errorf("line 1: two columns are named %s", name)
		}
		seen[name] = true
		columns[i] = &keypoints.Columns()[j]
	}
	if !seen["x"] || !seen["y"] {
		return nil, nil, fmt.Errorf("line 1: columns %s, want at least x and y", strings.Join(header, ","))
	}
	return columns, ignored, nil
}

// parse stores the field of a column in the keypoint.
func parse(c *keypoints.Column, field string, k *keypoints.Keypoint) error {
	if field == "" && c.Name != "x" && c.Name != "y" {
		return nil
	}
	bits := 64
	if c.Real != nil {
		bits = 32 // round only once
	}
	v, err := strconv.ParseFloat(field, bits)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // out of range: v is infinite
		return fmt.Errorf("%s is %q, want a number", c.Name, field)
	}
	return c.Set(k, v)
}

// WriteCSV writes the keypoints with all columns (x,y,size,angle,response,
// octave,class_id). ReadCSV returns the same bits. Source is not written.
func WriteCSV(w io.Writer, set keypoints.Set) error {
	out := bufio.NewWriter(w)
	var line []byte
	for _, c := range keypoints.Columns() {
		line = append(append(line, c.Name...), ',')
	}
	line[len(line)-1] = '\n'
	for _, k := range set.Keypoints {
		if _, err := out.Write(line); err != nil {
			return err
		}
		line = line[:0]
		for _, c := range keypoints.Columns() {
			if c.Int != nil {
				line = strconv.AppendInt(line, int64(*c.Int(&k)), 10)
			} else {
				line = strconv.AppendFloat(line, float64(*c.Real(&k)), 'g', -1, 32)
			}
			line = append(line, ',')
		}
		line[len(line)-1] = '\n'
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	return out.Flush()
}
