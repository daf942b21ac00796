package keypointio

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"descbench/eval/spelling"
	"descbench/eval/text"
	"descbench/keypoints"
	"descbench/pipeline/files"
)

// A Table is CSV text whose first line names the columns: x and y, and optionally size,
// angle, response (or score), octave and class_id, in any order. Case and surrounding
// spaces are ignored in names, as are spaces around numbers.
type Table struct {
	Header  []string       // names of the columns in lower case, without surrounding spaces
	Others  map[string]int // columns that the caller reads, by name
	Ignored []string       // names of the columns that nobody knows
	columns []*keypoints.Column
	rows    *csv.Reader
}

// NewTable reads the first line; other reports whether the caller reads a column of a name. Two
// columns of one meaning are an error, as is an unknown one with nearly a known name. Records have at most
// MaxRecordBytes. A byte order mark at the beginning, which some spreadsheets write, is ignored.
func NewTable(r io.Reader, other func(name string) bool) (*Table, error) {
	content := bufio.NewReader(r)
	start, _ := content.Peek(512) // a failure comes again
	if !isText(start) {
		return nil, errors.New("unknown format, want .npz or CSV")
	}
	if mark := "\ufeff"; bytes.HasPrefix(start, []byte(mark)) {
		_, _ = content.Discard(len(mark))
	}
	t := &Table{Others: make(map[string]int), rows: csv.NewReader(files.Records(content, MaxRecordBytes))}
	t.rows.ReuseRecord = true
	header, err := t.rows.Read()
	if err == io.EOF {
		return nil, errors.New("the file is empty, want a first line with the column names")
	} else if err != nil {
		return nil, err
	}
	t.columns = make([]*keypoints.Column, len(header))
	attributes := keypoints.Columns()
	seen := make(map[string]bool)
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		t.Header = append(t.Header, name)
		if name == "score" {
			name = "response"
		}
		j := slices.IndexFunc(attributes, func(c keypoints.Column) bool { return c.Name == name })
		switch {
		case j >= 0:
			t.columns[i] = &attributes[j]
		case other(name):
			t.Others[name] = i
		default:
			t.Ignored = append(t.Ignored, name)
			continue
		}
		if seen[name] {
			return nil, fmt.Errorf("line 1: two columns are named %s", name)
		}
		seen[name] = true
	}
	known := append(spelling.Words(attributes, func(c keypoints.Column) string { return c.Name }), "score")
	for _, name := range t.Ignored {
		if near := spelling.Slip(name, known); near != "" {
			return nil, fmt.Errorf("line 1: unknown column %q (did you mean %s?); rename or remove it", name, near)
		}
	}
	if !seen["x"] || !seen["y"] {
		cure := "want a first line that names the columns, at least x and y"
		if len(header) == 1 && strings.ContainsAny(header[0], ";\t ") {
			cure = "want columns separated by commas"
		}
		return nil, fmt.Errorf("line 1: columns %s; %s", spelling.Few(t.Header, 8), cure)
	}
	return t, nil
}

// isText reports whether the first bytes of a file can be CSV text. The last ones may
// be a part of a character.
func isText(start []byte) bool {
	for range utf8.UTFMax - 1 {
		if !utf8.Valid(start) {
			start = start[:len(start)-1]
		}
	}
	return utf8.Valid(start) && bytes.IndexByte(start, 0) < 0
}

// Each calls do with the keypoint of each row and its fields, one per column, which are valid until
// do returns. Errors contain the line, and the row counted from 0.
func (t *Table) Each(do func(k keypoints.Keypoint, fields []string) error) error {
	for row := 0; ; row++ {
		fields, err := t.rows.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if row == maxKeypoints {
			return fmt.Errorf("more than %d rows, the limit for one image", maxKeypoints)
		}
		column, k := 0, unset
		for i, c := range t.columns {
			if c != nil && err == nil {
				column, err = i, parse(c, strings.TrimSpace(fields[i]), &k)
			}
		}
		if err == nil {
			column, err = 0, do(k, fields)
		}
		if err != nil {
			line, _ := t.rows.FieldPos(column)
			return fmt.Errorf("line %d, row %d: %w", line, row, err)
		}
	}
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
