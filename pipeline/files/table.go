package files

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"descbench/eval/spelling"
)

// A Table is CSV text whose first line names the columns.
type Table struct {
	// Header has the names of the columns in lower case, without surrounding spaces.
	Header []string
	// Columns has what each column is known as; "" for columns to ignore.
	Columns []string
	rows    *csv.Reader
}

// NewTable reads the first line. Function known returns what a column of a name is
// known as, "" for columns to ignore; two columns known as the same are an error.
// Records have at most limit bytes; see Records. A byte order mark at the beginning,
// which some spreadsheets write, is ignored.
func NewTable(r io.Reader, limit int, known func(name string) string) (*Table, error) {
	text := bufio.NewReader(r)
	start, _ := text.Peek(512) // a failure comes again
	if !isText(start) {
		return nil, errors.New("unknown format, want .npz or CSV")
	}
	if mark := "\ufeff"; bytes.HasPrefix(start, []byte(mark)) {
		_, _ = text.Discard(len(mark))
	}
	t := &Table{rows: csv.NewReader(Records(text, limit))}
	t.rows.ReuseRecord = true
	header, err := t.rows.Read()
	if err == io.EOF {
		return nil, errors.New("the file is empty, want a first line with the column names")
	}
	seen := map[string]bool{}
	for _, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		column := known(name)
		if seen[column] {
			return nil, fmt.Errorf("line 1: two columns are named %s", column)
		}
		seen[column] = column != ""
		t.Header, t.Columns = append(t.Header, name), append(t.Columns, column)
	}
	return t, err
}

// Ignored returns the names of the columns to ignore. It returns an error if one is nearly
// one of the known names.
func (t *Table) Ignored(known []string) (names []string, err error) {
	for i, name := range t.Header {
		if t.Columns[i] != "" {
			continue
		}
		if near := spelling.Slip(name, known); near != "" {
			return nil, fmt.Errorf("line 1: unknown column %q (did you mean %s?); rename or remove it", name, near)
		}
		names = append(names, name)
	}
	return names, nil
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

// Each calls f with the fields of each row, one per column. They are valid until f
// returns.
func (t *Table) Each(f func(fields []string) error) error {
	for {
		fields, err := t.rows.Read()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(fields)
		}
		if err != nil {
			return err
		}
	}
}

// Line returns the line of a column's field of the current row, from 1.
func (t *Table) Line(column int) int {
	line, _ := t.rows.FieldPos(column)
	return line
}
