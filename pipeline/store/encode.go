package store

import (
	"io"
	"math"
	"reflect"
	"unsafe"

	"github.com/klauspost/compress/s2"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/snappy"
)

// rowsPerPiece is the number of rows that all columns encode in turn: few enough to
// stay in the cache. It determines the page boundaries and therefore the bytes of a
// file.
const rowsPerPiece = 256

// A recordEncoder writes records as a Parquet file, column by column.
type recordEncoder[T record] struct {
	parquet *parquet.GenericWriter[any]
	columns []column
	texts   []string        // of the columns before those of T, the same in all rows
	begun   []T             // rows not yet written, fewer than rowsPerPiece
	values  []parquet.Value // of one column of a piece
	group   int             // rows in the open row group
}

// newRecordEncoder returns an encoder of a file with the columns of T. If experiment
// is not empty, the first column names it in every row.
func newRecordEncoder[T record](w io.Writer, experiment string) *recordEncoder[T] {
	e := &recordEncoder[T]{begun: make([]T, 0, rowsPerPiece), values: make([]parquet.Value, rowsPerPiece)}
	var names []string
	if experiment != "" {
		names, e.texts = []string{experimentColumn}, []string{experiment}
	}
	var schema *parquet.Schema
	e.columns, schema = columnsOf(reflect.TypeFor[T](), names...)
	options := []parquet.WriterOption{
		schema,
		parquet.Compression(&fastSnappy{}),
		parquet.DataPageStatistics(false), // the column index has the same bounds
		parquet.KeyValueMetadata(recordsKey, recordsVersion),
		// Set because the default depends on how the program was built.
		parquet.CreatedBy("descbench", recordsVersion, "records"),
		parquet.SkipPageBounds(experimentColumn),
	}
	for _, c := range e.columns {
		if c.kind == reflect.Float32 || c.kind == reflect.Float64 {
			options = append(options, parquet.SkipPageBounds(c.name)) // nobody searches for records by them
		}
	}
	e.parquet = parquet.NewGenericWriter[any](w, options...)
	return e
}

// add writes rows. The bytes of the file do not depend on how rows are split over
// calls.
func (e *recordEncoder[T]) add(rows []T) error {
	if len(e.begun) > 0 {
		n := min(len(rows), rowsPerPiece-len(e.begun))
		e.begun = append(e.begun, rows[:n]...)
		if rows = rows[n:]; len(e.begun) < rowsPerPiece {
			return nil
		}
		if err := e.write(e.begun); err != nil {
			return err
		}
		e.begun = e.begun[:0]
	}
	for ; len(rows) >= rowsPerPiece; rows = rows[rowsPerPiece:] {
		if err := e.write(rows[:rowsPerPiece]); err != nil {
			return err
		}
	}
	e.begun = append(e.begun, rows...)
	return nil
}

// write writes a piece, and completes the row group if it is full.
func (e *recordEncoder[T]) write(piece []T) error {
	values := e.values[:len(piece)]
	for i, w := range e.parquet.ColumnWriters() {
		if i < len(e.texts) {
			same(values, e.texts[i])
		} else {
			e.columns[i-len(e.texts)].encode(values, tableOf(piece))
		}
		if _, err := w.WriteRowValues(values); err != nil {
			return err
		}
	}
	if e.group += len(piece); e.group < rowsPerGroup {
		return nil
	}
	e.group = 0
	return e.parquet.Flush()
}

func (e *recordEncoder[T]) close() error {
	if err := e.write(e.begun); err != nil {
		return err
	}
	return e.parquet.Close()
}

// encode sets values to those of the column in as many records.
func (c *column) encode(values []parquet.Value, rows table) {
	switch c.kind {
	case reflect.Bool:
		no, yes := parquet.BooleanValue(false), parquet.BooleanValue(true)
		for i := range values {
			values[i] = no
			if *field[bool](rows, c, i) {
				values[i] = yes
			}
		}
	case reflect.Int32:
		for i := range values {
			values[i] = parquet.Int32Value(*field[int32](rows, c, i))
		}
	case reflect.Int64:
		for i := range values {
			values[i] = parquet.Int64Value(*field[int64](rows, c, i))
		}
	case reflect.Float32:
		for i := range values {
			values[i] = parquet.FloatValue(*field[float32](rows, c, i))
		}
	case reflect.Float64:
		for i := range values {
			values[i] = parquet.DoubleValue(*field[float64](rows, c, i))
		}
	case reflect.String:
		text := ""
		value := textValue(text)
		for i := range values {
			if v := *field[string](rows, c, i); v != text {
				text, value = v, textValue(v)
			}
			values[i] = value
		}
	}
	if c.optional {
		c.encodeNulls(values, rows)
	}
}

// encodeNulls replaces the values that mean missing by NULL.
func (c *column) encodeNulls(values []parquet.Value, rows table) {
	if c.with != nil {
		c = c.with
	}
	switch c.kind {
	case reflect.Int32:
		encodeNulls[int32](c, values, rows)
	case reflect.Int64:
		encodeNulls[int64](c, values, rows)
	case reflect.Float32:
		encodeNulls[float32](c, values, rows)
	case reflect.Float64:
		encodeNulls[float64](c, values, rows)
	case reflect.String:
		for i := range values {
			if *field[string](rows, c, i) == "" {
				values[i] = parquet.NullValue()
			} else {
				values[i].SetDefinitionLevel(1)
			}
		}
	}
}

func encodeNulls[V number](c *column, values []parquet.Value, rows table) {
	absent, isNaN := V(c.absent), math.IsNaN(c.absent)
	for i := range values {
		if v := *field[V](rows, c, i); v == absent || isNaN && math.IsNaN(float64(v)) {
			values[i] = parquet.NullValue()
		} else {
			values[i].SetDefinitionLevel(1)
		}
	}
}

// same sets all values to one text.
func same(values []parquet.Value, text string) {
	value := textValue(text)
	for i := range values {
		values[i] = value
	}
}

// textValue returns a value that shares the memory of the text.
func textValue(text string) parquet.Value {
	return parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(text), len(text)))
}

// fastSnappy compresses in half the time of parquet-go's codec.
type fastSnappy struct{ snappy.Codec }

func (*fastSnappy) Encode(to, from []byte) ([]byte, error) {
	return s2.EncodeSnappy(to[:cap(to)], from), nil
}
