package keypointio

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/spelling"
	"descbench/eval/text"
	"descbench/keypoints"
	"descbench/pipeline/files"
)

// ReadCSV reads a table whose first line names the columns: x and y, and
// optionally size, angle, response (or score), octave and class_id, in any
// order. Case and surrounding spaces are ignored in names, as are spaces around
// numbers. Other columns are skipped, and their names are returned. Errors contain the line
// number.
func ReadCSV(r io.Reader) (set keypoints.Set, ignored []string, err error) {
	table, err := files.NewTable(r, MaxRecordBytes, ColumnName)
	if err != nil {
		return keypoints.Set{}, nil, err
	}
	rows, err := NewRows(table)
	if err != nil {
		return keypoints.Set{}, nil, err
	}
	err = table.Each(func(fields []string) error { return rows.Append(&set, fields) })
	if err != nil {
		return keypoints.Set{}, nil, err
	}
	return set, rows.Ignored, nil
}

// ColumnName returns what a column of keypoints is known as, "" for other columns.
func ColumnName(name string) string {
	if name == "score" {
		name = "response"
	}
	if !slices.ContainsFunc(keypoints.Columns(), func(c keypoints.Column) bool { return c.Name == name }) {
		return ""
	}
	return name
}

// attributes returns the names of all columns of keypoints.
func attributes() []string {
	names := []string{"score"}
	for _, c := range keypoints.Columns() {
		names = append(names, c.Name)
	}
	return names
}

// Rows reads the keypoints in the rows of a table.
type Rows struct {
	Ignored []string // the names of columns that nobody knows
	table   *files.Table
	columns []*keypoints.Column // nil for columns without an attribute
}

// NewRows finds the attributes among the columns of a table, as ColumnName names them.
// Columns known as something else are left to the caller.
func NewRows(table *files.Table) (*Rows, error) {
	ignored, err := table.Ignored(attributes())
	if err != nil {
		return nil, err
	}
	r := &Rows{ignored, table, make([]*keypoints.Column, len(table.Columns))}
	var names []string
	for i, name := range table.Columns {
		j := slices.IndexFunc(keypoints.Columns(), func(c keypoints.Column) bool { return c.Name == name })
		switch {
		case j >= 0:
			r.columns[i] = &keypoints.Columns()[j]
			names = append(names, name)
		case name == "":
			names = append(names, table.Header[i])
		}
	}
	if !slices.Contains(table.Columns, "x") || !slices.Contains(table.Columns, "y") {
		cure := "want a first line that names the columns, at least x and y"
		if len(names) == 1 && strings.ContainsAny(names[0], ";\t ") {
			cure = "want columns separated by commas"
		}
		return nil, fmt.Errorf("line 1: columns %s; %s", spelling.Few(names, 8), cure)
	}
	return r, nil
}

// Append appends the keypoint in the fields of a row.
func (r *Rows) Append(set *keypoints.Set, fields []string) error {
	k := unset
	for i, c := range r.columns {
		if c == nil {
			continue
		}
		if err := parse(c, strings.TrimSpace(fields[i]), &k); err != nil {
			return fmt.Errorf("line %d, row %d: %w", r.table.Line(i), set.Len(), err)
		}
	}
	if set.Len() == maxKeypoints {
		return fmt.Errorf("more than %d rows, the limit for one image", maxKeypoints)
	}
	set.Keypoints = append(set.Keypoints, k)
	return nil
}

// parse stores the field of a column in the keypoint.
func parse(c *keypoints.Column, field string, k *keypoints.Keypoint) error {
	if field == "" && c.Name != "x" && c.Name != "y" {
		return fmt.Errorf("%s is empty, want a number in every row, or no column %[1]s", c.Name)
	}
	bits := 64
	if c.Real != nil {
		bits = 32 // round only once
	}
	v, ok := text.Number(field, bits)
	if !ok {
		return fmt.Errorf("%s is %q, want a number", c.Name, field)
	}
	return c.Set(k, v)
}

// WriteCSV writes the keypoints with all columns (x,y,size,angle,response,
// octave,class_id). ReadCSV returns the same bits. Source is not written.
func WriteCSV(w io.Writer, set keypoints.Set) error {
	out := csv.NewWriter(w)
	fields := make([]string, len(keypoints.Columns()))
	for i, c := range keypoints.Columns() {
		fields[i] = c.Name
	}
	_ = out.Write(fields) // Error has the first error
	for _, k := range set.Keypoints {
		for i, c := range keypoints.Columns() {
			if c.Int != nil {
				fields[i] = strconv.Itoa(int(*c.Int(&k)))
			} else {
				fields[i] = strconv.FormatFloat(float64(*c.Real(&k)), 'g', -1, 32)
			}
		}
		_ = out.Write(fields)
	}
	out.Flush()
	return out.Error()
}
