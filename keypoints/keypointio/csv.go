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
)

// ReadCSV reads a table whose first line names the columns: x and y, and any of
// size, angle, response (or score), octave and class_id, in any order. Case and spaces
// around names and numbers do not count. Other columns are ignored; their names
// are returned. An empty field of an optional column has the default. Errors
// name the line.
func ReadCSV(r io.Reader) (set keypoints.Set, ignored []string, err error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	header, err := in.Read()
	if err == io.EOF {
		return keypoints.Set{}, nil, errors.New("no keypoints: want a line that names the columns, found nothing")
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
		for i, a := range columns {
			if a == nil {
				continue
			}
			if err := a.parse(&k, strings.TrimSpace(fields[i])); err != nil {
				line, _ := in.FieldPos(i)
				return keypoints.Set{}, nil, fmt.Errorf("line %d, row %d: %w", line, set.Len(), err)
			}
		}
		set.Keypoints = append(set.Keypoints, k)
	}
}

// parseHeader returns the attribute of each column, nil for those to ignore.
func parseHeader(header []string) (columns []*attribute, ignored []string, err error) {
	columns = make([]*attribute, len(header))
	seen := map[string]bool{}
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))) // of some spreadsheets
		if name == "score" {
			name = "response"
		}
		j := slices.IndexFunc(attributes, func(a attribute) bool { return a.name == name })
		if j < 0 {
			ignored = append(ignored, name)
			continue
		}
		if seen[name] {
			return nil, nil, fmt.Errorf("line 1: two columns are called %s", name)
		}
		seen[name] = true
		columns[i] = &attributes[j]
	}
	if !seen["x"] || !seen["y"] {
		return nil, nil, fmt.Errorf("line 1: columns %s, want x and y among them", strings.Join(header, ","))
	}
	return columns, ignored, nil
}

func (a *attribute) parse(k *keypoints.Keypoint, field string) error {
	if field == "" && a.name != "x" && a.name != "y" {
		return nil
	}
	bits := 64
	if a.real != nil {
		bits = 32 // rounded once
	}
	v, err := strconv.ParseFloat(field, bits)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // beyond the range it is infinite
		return fmt.Errorf("%s is %q, want a number", a.name, field)
	}
	return a.set(k, v)
}

// WriteCSV writes the keypoints with all columns, x,y,size,angle,response,
// octave,class_id, so that ReadCSV gives back the same bits. Source is not
// written.
func WriteCSV(w io.Writer, set keypoints.Set) error {
	out := bufio.NewWriter(w)
	var line []byte
	for _, a := range attributes {
		line = append(append(line, a.name...), ',')
	}
	line[len(line)-1] = '\n'
	for _, k := range set.Keypoints {
		if _, err := out.Write(line); err != nil {
			return err
		}
		line = line[:0]
		for _, a := range attributes {
			if a.int != nil {
				line = strconv.AppendInt(line, int64(*a.int(&k)), 10)
			} else {
				line = strconv.AppendFloat(line, float64(*a.real(&k)), 'g', -1, 32)
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
