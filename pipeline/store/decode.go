package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// errColumns marks errors about files that are sound but do not contain the
// expected records.
var errColumns = errors.New("not the expected records")

// A recordDecoder reads records from a Parquet file column by column, which takes
// a fraction of the time of assembling rows with parquet-go.
type recordDecoder[T record] struct {
	rows    int // rows in the file
	next    int // first row not yet read
	groups  []parquet.RowGroup
	left    int // unread rows of the open group
	columns []*columnReader
}

// newRecordDecoder opens the file in r and checks that it has the columns of T
// with their types. It ignores additional columns.
func newRecordDecoder[T record](r io.ReaderAt, size int64) (_ *recordDecoder[T], err error) {
	defer recoverDamage(&err)
	f, err := openParquet(r, size)
	if err != nil {
		return nil, err
	}
	version, found := f.Lookup(recordsKey)
	if !found {
		return nil, fmt.Errorf("%w: no %s in the file's metadata", errColumns, recordsKey)
	}
	if err := checkVersion("records", version, recordsVersion); err != nil {
		return nil, err
	}
	columns, err := columnReaders(reflect.TypeFor[T](), f.Schema())
	if err != nil {
		return nil, err
	}
	if err := checkPages(r, f); err != nil {
		return nil, err
	}
	return &recordDecoder[T]{rows: int(f.NumRows()), groups: f.RowGroups(), columns: columns}, nil
}

// checkVersion compares the version in a file's metadata with the one that this
// program writes.
func checkVersion(what, found, want string) error {
	if found == want {
		return nil
	}
	f, err := strconv.Atoi(found)
	w, _ := strconv.Atoi(want)
	switch {
	case err == nil && f > w:
		return newer(what, f, w)
	case err == nil && f > 0:
		return older(what, f, w)
	}
	return fmt.Errorf("%w: want version %s of %s, found %q", errColumns, want, what, found)
}

// columnReaders returns a reader for each column of the record type.
func columnReaders(record reflect.Type, file *parquet.Schema) ([]*columnReader, error) {
	columns, want := columnsOf(record)
	var readers []*columnReader
	var missing []string
	for i := range columns {
		c := &columns[i]
		expected, ok := want.Lookup(c.name)
		if !ok {
			return nil, fmt.Errorf("field %d has no column", i)
		}
		found, ok := file.Lookup(c.name)
		if !ok && c.later {
			readers = append(readers, &columnReader{column: c, index: -1})
			continue
		} else if !ok {
			missing = append(missing, c.name)
			continue
		}
		if w, f := expected.Node.Type().Kind(), found.Node.Type().Kind(); w != f || found.Node.Repeated() {
			return nil, fmt.Errorf("%w: column %s: want one %v per row, found %v", errColumns, c.name, w, found.Node)
		}
		readers = append(readers, &columnReader{column: c, index: found.ColumnIndex, stored: expected.Node.Type().Kind()})
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%w: missing columns: %s", errColumns, strings.Join(missing, ", "))
	}
	return readers, nil
}

// read fills rows with the next records and returns the number of records read,
// which is less than len(rows) at the end of the file. It returns io.EOF if there
// are no more records.
func (d *recordDecoder[T]) read(rows []T) (_ int, err error) {
	defer recoverDamage(&err)
	for d.left == 0 {
		if len(d.groups) == 0 {
			return 0, io.EOF
		}
		if err := d.openGroup(d.groups[0]); err != nil {
			return 0, err
		}
		d.groups = d.groups[1:]
	}
	n := min(len(rows), d.left)
	for _, c := range d.columns {
		if err := c.read(tableOf(rows), n); err != nil {
			return 0, fmt.Errorf("column %s: after row %d: %w", c.name, d.next, err)
		}
	}
	d.left -= n
	d.next += n
	return n, nil
}

func (d *recordDecoder[T]) openGroup(g parquet.RowGroup) error {
	d.close()
	chunks := g.ColumnChunks()
	for _, c := range d.columns {
		if c.index < 0 {
			continue
		}
		if n := chunks[c.index].NumValues(); n != g.NumRows() {
			return fmt.Errorf("column %s: want %d values, found %d", c.name, g.NumRows(), n)
		}
		c.pages = chunks[c.index].Pages()
	}
	d.left = int(g.NumRows())
	return nil
}

// close ends reading. It may be called before the end of the file.
func (d *recordDecoder[T]) close() {
	for _, c := range d.columns {
		c.close()
	}
}

// A columnReader reads a column into the fields of records.
type columnReader struct {
	*column
	index  int // in the file; -1 if the file lacks the column
	stored parquet.Kind
	pages  parquet.Pages
	page   parquet.Page

	// Numbers are taken from the page's array, everything else from its values.
	levels  []byte // of the page's rows not yet read: 0 if NULL; nil without NULLs
	numbers encoding.Values
	taken   int // numbers already read
	values  parquet.ValueReader
	buffer  []parquet.Value
	text    string // the text last read
}

// read sets the field in the first n records.
func (r *columnReader) read(rows table, n int) error {
	if r.index < 0 {
		for i := range n {
			r.setNull(rows, i)
		}
		return nil
	}
	for done := 0; done < n; {
		if r.page == nil {
			if err := r.openPage(); err != nil {
				return err
			}
		}
		m, err := r.readPage(rows.from(done), n-done)
		done += m
		if err == io.EOF || err == nil && m == 0 {
			r.closePage()
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (r *columnReader) openPage() error {
	page, err := r.pages.ReadPage()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	r.page = page
	if r.kind == reflect.Bool || r.kind == reflect.String || page.Dictionary() != nil {
		r.values = page.Values()
		return nil
	}
	r.numbers, r.taken, r.levels = page.Data(), 0, page.DefinitionLevels()
	if nulls := len(r.levels) - bytes.Count(r.levels, []byte{1}); nulls > 0 && !r.optional {
		return fmt.Errorf("want a value, found %d NULL", nulls)
	}
	return nil
}

// readPage sets the field in the first n records, or in fewer at the end of the page.
func (r *columnReader) readPage(rows table, n int) (int, error) {
	if r.values != nil {
		return r.readValues(rows, n)
	}
	switch r.kind {
	case reflect.Int32:
		return readNumbers(r, rows, n, r.numbers.Int32())
	case reflect.Int64:
		return readNumbers(r, rows, n, r.numbers.Int64())
	case reflect.Float32:
		return readNumbers(r, rows, n, r.numbers.Float())
	}
	return readNumbers(r, rows, n, r.numbers.Double())
}

func readNumbers[V number](r *columnReader, rows table, n int, numbers []V) (int, error) {
	numbers = numbers[r.taken:]
	if r.levels == nil {
		n = min(n, len(numbers))
		for i, v := range numbers[:n] {
			*field[V](rows, r.column, i) = v
		}
		r.taken += n
		return n, nil
	}
	n = min(n, len(r.levels))
	next := 0
	for i, level := range r.levels[:n] {
		if level == 1 {
			*field[V](rows, r.column, i) = numbers[next]
			next++
		} else {
			*field[V](rows, r.column, i) = V(r.absent)
		}
	}
	r.taken += next
	r.levels = r.levels[n:]
	return n, nil
}

func (r *columnReader) readValues(rows table, n int) (int, error) {
	if r.buffer == nil {
		r.buffer = make([]parquet.Value, 256)
	}
	n, err := r.values.ReadValues(r.buffer[:min(len(r.buffer), n)])
	for i, v := range r.buffer[:n] {
		if v.Kind() == r.stored {
			r.set(rows, i, v)
		} else if v.IsNull() && r.optional {
			r.setNull(rows, i)
		} else {
			return 0, fmt.Errorf("want a value, found %v", v)
		}
	}
	return n, err
}

func (r *columnReader) set(rows table, i int, v parquet.Value) {
	switch r.kind {
	case reflect.Bool:
		*field[bool](rows, r.column, i) = v.Boolean()
	case reflect.String:
		*field[string](rows, r.column, i) = r.copied(v)
	case reflect.Int32:
		*field[int32](rows, r.column, i) = v.Int32()
	case reflect.Int64:
		*field[int64](rows, r.column, i) = v.Int64()
	case reflect.Float32:
		*field[float32](rows, r.column, i) = v.Float()
	case reflect.Float64:
		*field[float64](rows, r.column, i) = v.Double()
	}
}

func (r *columnReader) setNull(rows table, i int) {
	switch r.kind {
	case reflect.Int32:
		*field[int32](rows, r.column, i) = int32(r.absent)
	case reflect.Int64:
		*field[int64](rows, r.column, i) = int64(r.absent)
	case reflect.Float32:
		*field[float32](rows, r.column, i) = float32(r.absent)
	case reflect.Float64:
		*field[float64](rows, r.column, i) = r.absent
	case reflect.String:
		*field[string](rows, r.column, i) = ""
	}
}

// copied returns a copy of a text, whose bytes belong to the page. Consecutive equal
// texts share one copy.
func (r *columnReader) copied(v parquet.Value) string {
	if b := v.ByteArray(); string(b) != r.text {
		r.text = string(b)
	}
	return r.text
}

func (r *columnReader) closePage() {
	if r.page != nil {
		parquet.Release(r.page)
		r.page, r.values, r.levels = nil, nil, nil
	}
}

func (r *columnReader) close() {
	r.closePage()
	if r.pages != nil {
		_ = r.pages.Close() // read only: nothing can be lost
		r.pages = nil
	}
}
