package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
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
	l, err := layoutOf(record, "")
	if err != nil {
		return nil, err
	}
	columns, want := l.columns, l.schema
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
		readers = append(readers, &columnReader{column: c, index: found.ColumnIndex})
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
	for piece := range slices.Chunk(rows[:n], rowsPerPiece) {
		for _, c := range d.columns {
			if err := c.read(tableOf(piece), len(piece)); err != nil {
				return 0, fmt.Errorf("column %s: after row %d: %w", c.name, d.next, err)
			}
		}
		d.left -= len(piece)
		d.next += len(piece)
	}
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
	index int // in the file; -1 if the file lacks the column
	pages parquet.Pages
	page  parquet.Page

	levels []byte                        // of the page's rows not yet read: 0 if NULL; nil without NULLs
	take   func(fields table, n int) int // sets the field in up to n records from the page
	text   string                        // the text last copied
}

// read sets the field in the first n records.
func (r *columnReader) read(rows table, n int) error {
	if r.index < 0 {
		r.levels = make([]byte, n)
		r.taker(nil)(rows.of(r.column), n)
		return nil
	}
	for done := 0; done < n; {
		if r.page == nil {
			if err := r.openPage(); err != nil {
				return err
			}
		}
		m := r.take(rows.from(done).of(r.column), n-done)
		done += m
		if m == 0 {
			r.closePage()
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
	r.page, r.levels = page, page.DefinitionLevels()
	if nulls := len(r.levels) - bytes.Count(r.levels, []byte{1}); nulls == 0 {
		r.levels = nil
	} else if !r.optional {
		return fmt.Errorf("want a value, found %d NULL", nulls)
	}
	r.take = r.taker(page)
	return nil
}

// taker returns a function that sets the field in up to n records from a page, or to
// the value that means missing if page is nil. It returns how many it has set.
func (r *columnReader) taker(page parquet.Page) func(fields table, n int) int {
	switch r.kind {
	case reflect.Bool:
		return taker(r, valuesOf(page, unpacked, parquet.Value.Boolean), false)
	case reflect.Int32:
		return taker(r, valuesOf(page, plain((*encoding.Values).Int32), parquet.Value.Int32), int32(r.absent))
	case reflect.Int64:
		return taker(r, valuesOf(page, plain((*encoding.Values).Int64), parquet.Value.Int64), int64(r.absent))
	case reflect.Float32:
		return taker(r, valuesOf(page, plain((*encoding.Values).Float), parquet.Value.Float), float32(r.absent))
	case reflect.Float64:
		return taker(r, valuesOf(page, plain((*encoding.Values).Double), parquet.Value.Double), r.absent)
	}
	return taker(r, valuesOf(page, r.texts, func(v parquet.Value) string { return r.copied(v.ByteArray()) }), "")
}

func taker[V any](r *columnReader, values []V, absent V) func(fields table, n int) int {
	return func(fields table, n int) int {
		if r.levels == nil {
			n = min(n, len(values))
			for i, v := range values[:n] {
				*field[V](fields, i) = v
			}
			values = values[n:]
			return n
		}
		n = min(n, len(r.levels))
		next := 0
		for i, level := range r.levels[:n] {
			if level == 1 {
				*field[V](fields, i) = values[next]
				next++
			} else {
				*field[V](fields, i) = absent
			}
		}
		values, r.levels = values[next:], r.levels[n:]
		return n
	}
}

// valuesOf returns the values of a page that are not NULL, from its array or from its
// dictionary.
func valuesOf[V any](page parquet.Page, array func(page parquet.Page) []V, value func(parquet.Value) V) []V {
	if page == nil {
		return nil
	}
	dictionary := page.Dictionary()
	if dictionary == nil {
		return array(page)
	}
	data := page.Data()
	indexes := data.Int32()
	values := make([]V, len(indexes))
	for i, index := range indexes {
		if i > 0 && index == indexes[i-1] {
			values[i] = values[i-1]
		} else {
			values[i] = value(dictionary.Index(index))
		}
	}
	return values
}

func plain[V number](numbers func(*encoding.Values) []V) func(parquet.Page) []V {
	return func(page parquet.Page) []V {
		data := page.Data()
		return numbers(&data)
	}
}

// unpacked returns the values of a page of bits.
func unpacked(page parquet.Page) []bool {
	data := page.Data()
	bits := data.Boolean()
	values := make([]bool, page.NumValues()-page.NumNulls())
	for i := range values {
		values[i] = bits[i/8]>>(i%8)&1 != 0
	}
	return values
}

// texts returns the values of a page of texts.
func (r *columnReader) texts(page parquet.Page) []string {
	data := page.Data()
	content, offsets := data.ByteArray()
	values := make([]string, max(len(offsets)-1, 0))
	for i := range values {
		values[i] = r.copied(content[offsets[i]:offsets[i+1]])
	}
	return values
}

// copied returns a copy of a text, whose bytes belong to the page. Consecutive equal
// texts share one copy.
func (r *columnReader) copied(text []byte) string {
	if string(text) != r.text {
		r.text = string(text)
	}
	return r.text
}

func (r *columnReader) closePage() {
	if r.page != nil {
		parquet.Release(r.page)
		r.page, r.take, r.levels = nil, nil, nil
	}
}

func (r *columnReader) close() {
	r.closePage()
	if r.pages != nil {
		_ = r.pages.Close() // read only: nothing can be lost
		r.pages = nil
	}
}
