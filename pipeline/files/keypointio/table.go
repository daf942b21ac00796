package keypointio

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"descbench/eval/spelling"
	"descbench/eval/text"
	"descbench/keypoints"
	"descbench/pipeline/files"
	"descbench/pipeline/files/npz"
)

// ReadTable reads CSV text whose first line names the columns: x and y; optionally size, angle, response
// (or score), octave and class_id; and the elements of descriptors, d0, d1 and so on without a gap; in any
// order. Case and surrounding spaces are ignored in names, as are spaces around numbers, and a byte order mark at
// the beginning, which some spreadsheets write. It returns the archive with the same numbers in the arrays that
// ReadArchive reads, and in descriptors: bytes if all elements are written as whole numbers from 0 to 255, as
// they must be if bytesOnly, else float32. ignored are the columns that nobody knows.
//
// Two columns of one meaning are an error, as is an unknown one with nearly a known name, or a record of more
// than MaxRecordBytes. Errors contain the line, and the row counted from 0.
func ReadTable(r io.Reader, bytesOnly bool) (archive *npz.Archive, ignored []string, err error) {
	content := bufio.NewReader(r)
	start, _ := content.Peek(512) // a failure comes again
	if !isText(start) {
		return nil, nil, errors.New("unknown format, want .npz or CSV")
	}
	if mark := "\ufeff"; bytes.HasPrefix(start, []byte(mark)) {
		_, _ = content.Discard(len(mark))
	}
	rows := csv.NewReader(files.Records(content, MaxRecordBytes))
	rows.ReuseRecord = true
	header, err := rows.Read()
	if err == io.EOF {
		return nil, nil, errors.New("the file is empty, want a first line with the column names")
	} else if err != nil {
		return nil, nil, err
	}
	t, err := newTable(header)
	if err != nil {
		return nil, nil, fmt.Errorf("line 1: %w", err)
	}
	for row := 0; ; row++ {
		fields, err := rows.Read()
		if err == io.EOF {
			archive, err = t.archive(row)
			return archive, t.ignored, err
		}
		if err != nil {
			return nil, nil, err
		}
		if row == maxKeypoints {
			return nil, nil, fmt.Errorf("more than %d rows, the limit for one image", maxKeypoints)
		}
		for i, c := range t.columns {
			if c == nil {
				continue
			}
			if err := c.add(strings.TrimSpace(fields[i]), bytesOnly); err != nil {
				line, _ := rows.FieldPos(i)
				return nil, nil, fmt.Errorf("line %d, row %d: %w", line, row, err)
			}
		}
	}
}

// A table holds the columns of CSV text.
type table struct {
	columns  []*column          // in their order; nil: ignored
	known    map[string]*column // those that are not ignored, by name
	elements []*column          // d0, d1 and so on
	ignored  []string
}

// A column holds its numbers.
type column struct {
	name      string
	attribute *keypoints.Column // of keypoints; nil: an element of descriptors
	values    []float64
	bytes     bool // an element, so far written as whole numbers from 0 to 255
}

// newTable returns the table of a header, without rows.
func newTable(header []string) (*table, error) {
	t := &table{known: make(map[string]*column)}
	attributes := keypoints.Columns()
	names := spelling.Words(header, func(name string) string { return strings.ToLower(strings.TrimSpace(name)) })
	for _, name := range names {
		c := &column{name: name}
		if c.name == "score" {
			c.name = "response"
		}
		if i := slices.IndexFunc(attributes, func(a keypoints.Column) bool { return a.Name == c.name }); i >= 0 {
			c.attribute = &attributes[i]
		} else if c.bytes = isElement(name); !c.bytes {
			t.columns, t.ignored = append(t.columns, nil), append(t.ignored, name)
			continue
		}
		if t.known[c.name] != nil {
			return nil, fmt.Errorf("two columns are named %s", c.name)
		}
		t.columns, t.known[c.name] = append(t.columns, c), c
		if c.bytes {
			t.elements = append(t.elements, c)
		}
	}
	words := append(spelling.Words(attributes, func(a keypoints.Column) string { return a.Name }), "score")
	for _, name := range t.ignored {
		if near := spelling.Slip(name, words); near != "" {
			return nil, fmt.Errorf("unknown column %q (did you mean %s?); rename or remove it", name, near)
		}
	}
	if t.known["x"] == nil || t.known["y"] == nil {
		cure := "want a first line that names the columns, at least x and y"
		if len(header) == 1 && strings.ContainsAny(header[0], ";\t ") {
			cure = "want columns separated by commas"
		}
		return nil, fmt.Errorf("columns %s; %s", spelling.Few(names, 8), cure)
	}
	for d := range t.elements {
		c, n := t.known[elementName(d)], len(t.elements)
		if c == nil {
			return nil, fmt.Errorf("%d descriptor columns, but no %s, want d0 to %s", n, elementName(d), elementName(n-1))
		}
		t.elements[d] = c
	}
	return t, nil
}

// isElement reports whether a column is an element of descriptors by its name.
func isElement(name string) bool {
	digits, _ := strings.CutPrefix(name, "d")
	n, err := strconv.Atoi(digits)
	return err == nil && n >= 0 && elementName(n) == name
}

func elementName(n int) string { return fmt.Sprint("d", n) }

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

// add takes the next field.
func (c *column) add(field string, bytesOnly bool) error {
	bits := 32 // round only once
	if c.attribute != nil && c.attribute.Int != nil {
		bits = 64
	}
	v, ok := text.Number(field, bits)
	switch _, notByte := strconv.ParseUint(field, 10, 8); {
	case c.attribute == nil && bytesOnly && notByte != nil:
		return fmt.Errorf("%s is %q, want a whole number from 0 to 255", c.name, field)
	case field == "" && c.attribute != nil && c.name != "x" && c.name != "y":
		return fmt.Errorf("%s is empty, want a number in every row, or no column %[1]s", c.name)
	case !ok:
		return fmt.Errorf("%s is %q, want a number", c.name, field)
	default:
		c.values, c.bytes = append(c.values, v), c.bytes && notByte == nil
	}
	if c.attribute == nil {
		return nil
	}
	return c.attribute.Set(new(keypoints.Keypoint), v)
}

// archive returns the arrays of so many rows.
func (t *table) archive(rows int) (*npz.Archive, error) {
	matrix := func(columns ...*column) (values []float64) {
		for i := range rows {
			for _, c := range columns {
				values = append(values, c.values[i])
			}
		}
		return values
	}
	members := []npz.Member{npz.Of(matrix(t.known["x"], t.known["y"]), rows, 2).Member(PositionsName)}
	for _, a := range keypoints.Columns()[2:] { // after x and y
		if c := t.known[a.Name]; c != nil {
			members = append(members, npz.Of(c.values, rows).Member(arrayName(a)))
		}
	}
	if n := len(t.elements); n > 0 {
		elements := matrix(t.elements...)
		array := npz.Of(elements, rows, n)
		if rows > 0 && !slices.ContainsFunc(t.elements, func(c *column) bool { return !c.bytes }) {
			whole := make([]uint8, len(elements))
			for i, v := range elements {
				whole[i] = uint8(v)
			}
			array = npz.Of(whole, rows, n)
		}
		members = append(members, array.Member("descriptors"))
	}
	return npz.FromArrays(members...)
}
