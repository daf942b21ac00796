package matchio

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"descbench/eval/text"
	"descbench/pipeline/files"
	"descbench/pipeline/files/keypointio"
)

var csvColumns = []string{"row0", "row1", "x0", "y0", "x1", "y1", "score", "distance"}

func readCSV(r io.Reader) (*Matches, error) {
	table, err := files.NewTable(r, keypointio.MaxRecordBytes, func(name string) string {
		if !slices.Contains(csvColumns, name) {
			return ""
		}
		return name
	})
	if err != nil {
		return nil, err
	}
	m := &Matches{Keypoints: [2]int{-1, -1}}
	if err := m.has(table); err != nil {
		return nil, err
	}
	return m, table.Each(func(fields []string) error {
		at := Match{Row0: -1, Row1: -1, Distance: math.NaN()}
		for i, name := range table.Columns {
			if err := at.parse(name, strings.TrimSpace(fields[i])); err != nil {
				return fmt.Errorf("line %d: %s: %w", table.Line(i), name, err)
			}
		}
		if len(m.List) == maxMatches {
			return fmt.Errorf("more than %d rows, the limit for one image pair", maxMatches)
		}
		m.List = append(m.List, at)
		return nil
	})
}

// has stores what a table has columns for.
func (m *Matches) has(table *files.Table) (err error) {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(table.Columns, n) })
	}
	m.Rows, m.Points = has("row0", "row1"), has("x0", "y0", "x1", "y1")
	m.Scored = has("score") || has("distance")
	m.Ignored, err = table.Ignored(csvColumns)
	switch {
	case err != nil:
		return err
	case m.Rows && m.Points:
		return errors.New("line 1: found row0 and row1, and x0, y0, x1 and y1, want rows or positions")
	case !m.Rows && !m.Points:
		return fmt.Errorf("line 1: columns %s, want row0 and row1, or x0, y0, x1 and y1", strings.Join(table.Header, ","))
	case has("score", "distance"):
		return errors.New("line 1: found score and distance, want one of the two")
	}
	return nil
}

// parse stores the field of a column.
func (m *Match) parse(column, field string) (err error) {
	if column == "" {
		return nil
	}
	v, ok := text.Number(field, 64)
	if !ok {
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
