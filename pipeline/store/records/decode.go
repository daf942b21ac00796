package records

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"

	"descbench/pipeline/store"
)

// decode returns the records of a Parquet file.
func decode[T Record](r io.ReaderAt, size int64) (rows []T, err error) {
	err = open(r, size, eachGroup(func(group []T) error {
		if rows == nil { // as of most units
			rows = group
		} else {
			rows = append(rows, group...)
		}
		return nil
	}))
	return rows, err
}

// eachGroup returns a function that calls do for the records of each row group of a file, which it reads
// column by column: that takes a fraction of the time of assembling rows with parquet-go. The file must have
// the columns of T with their types. Additional columns are ignored.
func eachGroup[T Record](do func([]T) error) func(*parquet.File) error {
	return func(f *parquet.File) error {
		columns, err := columnReaders(reflect.TypeFor[T](), f.Schema())
		if err != nil {
			return err
		}
		values := make([]parquet.Value, rowsPerPiece)
		defer func() {
			for _, c := range columns {
				c.close()
			}
		}()
		for _, g := range f.RowGroups() {
			chunks, end := g.ColumnChunks(), int(g.NumRows())
			rows := make([]T, 0, end)
			for _, c := range columns {
				c.open(chunks)
			}
			for first := len(rows); first < end; first = len(rows) {
				n := min(end-first, rowsPerPiece)
				rows = rows[:first+n]
				for _, c := range columns {
					if err := c.read(tableOf(rows[first:]), values[:n]); err != nil {
						return fmt.Errorf("column %s: after row %d: %w", c.name, first, err)
					}
				}
			}
			if err := do(rows); err != nil {
				return err
			}
		}
		return nil
	}
}

// open calls read with a Parquet file of records, after checking its pages.
func open(r io.ReaderAt, size int64, read func(*parquet.File) error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("not readable as Parquet: %v", fault)
		}
	}()
	numbers, err := metadata(r, size)
	if err != nil {
		return err
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	if version, found := f.Lookup(recordsKey); !found {
		return fmt.Errorf("%w: no %s in the file's metadata", store.ErrForeign, recordsKey)
	} else if version != recordsVersion {
		return fmt.Errorf("%w: records of version %.20q, want version %s", store.ErrForeign, version, recordsVersion)
	}
	if err := checkPages(r, size, numbers); err != nil {
		return err
	}
	return read(f)
}

// columnReaders returns a reader for each column of the record type.
func columnReaders(record reflect.Type, file *parquet.Schema) ([]*columnReader, error) {
	columns, schema := columnsOf(record, false)
	var readers []*columnReader
	var missing []string
	for i := range columns {
		c := &columns[i]
		expected, _ := schema.Lookup(c.name)
		found, ok := file.Lookup(c.name)
		if !ok {
			missing = append(missing, c.name)
			continue
		}
		if w, f := expected.Node.Type().Kind(), found.Node.Type().Kind(); w != f || found.Node.Repeated() {
			return nil, fmt.Errorf("%w: column %s: want one %v per row, found %v", store.ErrForeign, c.name, w, found.Node)
		}
		readers = append(readers, &columnReader{column: c, index: found.ColumnIndex})
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%w: missing columns: %s", store.ErrForeign, strings.Join(missing, ", "))
	}
	return readers, nil
}

// A columnReader reads a column into the fields of records.
type columnReader struct {
	*column
	index  int                            // in the file
	values parquet.ColumnChunkValueReader // of a row group
	text   string                         // the text last copied
}

// open goes to the column of a row group.
func (r *columnReader) open(chunks []parquet.ColumnChunk) {
	r.close()
	r.values = parquet.NewColumnChunkValueReader(chunks[r.index])
}

// read sets the field in as many records as values has room for.
func (r *columnReader) read(rows table, values []parquet.Value) error {
	for done := 0; done < len(values); { // so that no table begins behind the last record
		n, err := r.values.ReadValues(values[done:])
		if err == nil || n > 0 {
			err = r.set(rows.from(done).of(r.column), values[done:done+n])
		} else if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		done += n
	}
	return nil
}

// set sets the field in as many records as there are values.
func (r *columnReader) set(fields table, values []parquet.Value) error {
	switch r.kind {
	case reflect.Bool:
		return set(r, fields, values, parquet.Value.Boolean, false)
	case reflect.Int32:
		return set(r, fields, values, parquet.Value.Int32, int32(r.absent))
	case reflect.Int64:
		return set(r, fields, values, parquet.Value.Int64, int64(r.absent))
	case reflect.Float32:
		return set(r, fields, values, parquet.Value.Float, float32(r.absent))
	case reflect.Float64:
		return set(r, fields, values, parquet.Value.Double, r.absent)
	}
	return set(r, fields, values, r.copied, "")
}

func set[V any](r *columnReader, fields table, values []parquet.Value, of func(parquet.Value) V, absent V) error {
	for i := range values {
		switch v := &values[i]; {
		case !v.IsNull():
			*field[V](fields, i) = of(*v)
		case r.optional:
			*field[V](fields, i) = absent
		default:
			return errors.New("want a value, found NULL")
		}
	}
	return nil
}

// copied returns a copy of a text, whose bytes belong to the page. Consecutive equal
// texts share one copy.
func (r *columnReader) copied(v parquet.Value) string {
	if text := v.ByteArray(); string(text) != r.text {
		r.text = string(text)
	}
	return r.text
}

func (r *columnReader) close() {
	if r.values != nil {
		_ = r.values.Close() // read only: nothing can be lost
	}
}
