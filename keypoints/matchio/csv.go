package matchio

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"descbench/keypoints/keypointio"
	"descbench/keypoints/openfile"
)

var csvColumns = []string{"row0", "row1", "x0", "y0", "x1", "y1", "score", "distance"}

func readCSV(r io.Reader) (*Matches, error) {
	in := csv.NewReader(openfile.Records(r, keypointio.MaxRecordBytes))
	in.ReuseRecord = true
	header, err := in.Read()
	if err == io.EOF {
		return nil, errors.New("the file is empty, want a first line with the column names")
	}
	if err != nil {
		return nil, err
	}
	m := &Matches{Keypoints: [2]int{-1, -1}}
	columns, err := m.parseHeader(header)
	if err != nil {
		return nil, err
	}
	for {
		fields, err := in.Read()
		if err == io.EOF {
			return m, nil
		}
		if err != nil {
			return nil, err
		}
		at := Match{Row0: -1, Row1: -1, Distance: math.NaN()}
		for i, name := range columns {
			if err := at.parse(name, strings.TrimSpace(fields[i])); err != nil {
				line, _ := in.FieldPos(i)
				return nil, fmt.Errorf("line %d: %s: %w", line, name, err)
			}
		}
		if len(m.List) == maxMatches {
			return nil, fmt.Errorf("more than %d rows, the limit for one image pair", maxMatches)
		}
		m.List = append(m.List, at)
	}
}

// parseHeader returns the names of the columns, "" for those to ignore.
func (m *Matches) parseHeader(header []string) (columns []string, err error) {
	for _, name := range header {
		name = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))
		if !slices.Contains(csvColumns, name) {
			name = ""
		} else if slices.Contains(columns, name) {
			return nil, fmt.Errorf("line 1: two columns are named %s", name)
		}
		columns = append(columns, name)
	}
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(columns, n) })
	}
	m.Rows, m.Points = has("row0", "row1"), has("x0", "y0", "x1", "y1")
	m.Scored = has("score") || has("distance")
	switch {
	case !m.Rows && !m.Points:
		return nil, fmt.Errorf("line 1: columns %s, want row0 and row1, or x0, y0, x1 and y1", strings.Join(header, ","))
	case has("score", "distance"):
		return nil, errors.New("line 1: found score and distance, want one of the two")
	}
	return columns, nil
}

// parse stores the field of a column.
func (m *Match) parse(column, field string) error {
	if column == "" {
		return nil
	}
	v, err := strconv.ParseFloat(field, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("found %q, want a number", field)
	}
	switch column {
	case "row0":
		m.Row0, err = row(v, -1)
	case "row1":
		m.Row1, err = row(v, -1)
	case "x0":
		m.X0, err = position(v)
	case "y0":
		m.Y0, err = position(v)
	case "x1":
		m.X1, err = position(v)
	case "y1":
		m.Y1, err = position(v)
	default:
		m.Distance, err = distanceOf(v, column == "score")
	}
	return err
}
