package records

import (
	"io"
	"math"
	"reflect"
	"unsafe"

	"github.com/klauspost/compress/s2"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/snappy"
)

// rowsPerPiece is the number of rows that all columns encode or decode in turn: few
// enough to stay in the cache. It determines the bytes of a file and divides
// rowsPerGroup.
const rowsPerPiece = 256

// A recordEncoder writes records as a Parquet file, column by column.
type recordEncoder[T Record] struct {
	parquet    *parquet.GenericWriter[any]
	experiment string // in the first column of every row; "": there is no such column
	columns    []column
	begun      []T             // rows not yet written, fewer than rowsPerPiece
	values     []parquet.Value // of one column of a piece
	group      int             // rows in the open row group
}

// newRecordEncoder returns an encoder of a file with the columns of T. If experiment
// is not empty, the first column names it in every row.
func newRecordEncoder[T Record](w io.Writer, experiment string) *recordEncoder[T] {
	columns, schema := columnsOf(reflect.TypeFor[T](), experiment != "")
	options := []parquet.WriterOption{
		schema,
		parquet.Compression(&fastSnappy{}),
		parquet.DataPageStatistics(false), // the column index has the same bounds
		parquet.KeyValueMetadata(recordsKey, recordsVersion),
		// Set because the default depends on how the program was built.
		parquet.CreatedBy("descbench", recordsVersion, "records"),
		parquet.SkipPageBounds(experimentColumn),
	}
	for _, c := range columns {
		if c.kind == reflect.Float32 || c.kind == reflect.Float64 {
			options = append(options, parquet.SkipPageBounds(c.name)) // nobody searches for records by them
		}
	}
	return &recordEncoder[T]{
		parquet: parquet.NewGenericWriter[any](w, options...), experiment: experiment, columns: columns,
		begun: make([]T, 0, rowsPerPiece), values: make([]parquet.Value, rowsPerPiece),
	}
}

// add writes rows. The bytes of the file do not depend on how rows are split over
// calls.
func (e *recordEncoder[T]) add(rows []T) error {
	for len(rows) > 0 {
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
	return nil
}

// write writes a piece, and completes the row group if it is full.
func (e *recordEncoder[T]) write(piece []T) error {
	values, columns := e.values[:len(piece)], e.parquet.ColumnWriters()
	if e.experiment != "" {
		same := textValue(e.experiment)
		for i := range values {
			values[i] = same
		}
		if _, err := columns[0].WriteRowValues(values); err != nil {
			return err
		}
		columns = columns[1:]
	}
	for i, w := range columns {
		e.columns[i].encode(values, tableOf(piece))
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
	fields := rows.of(c)
	switch c.kind {
	case reflect.Bool:
		encode(values, fields, parquet.BooleanValue)
	case reflect.Int32:
		encode(values, fields, parquet.Int32Value)
	case reflect.Int64:
		encode(values, fields, parquet.Int64Value)
	case reflect.Float32:
		encode(values, fields, parquet.FloatValue)
	case reflect.Float64:
		encode(values, fields, parquet.DoubleValue)
	case reflect.String:
		encode(values, fields, textValue)
	}
	if c.optional {
		c.encodeNulls(values, rows)
	}
}

func encode[V any](values []parquet.Value, fields table, value func(V) parquet.Value) {
	for i := range values {
		values[i] = value(*field[V](fields, i))
	}
}

// encodeNulls replaces the values that mean missing by NULL.
func (c *column) encodeNulls(values []parquet.Value, rows table) {
	if c.with != nil {
		c = c.with
	}
	fields := rows.of(c)
	switch c.kind {
	case reflect.Int32:
		encodeNulls[int32](c, values, fields)
	case reflect.Int64:
		encodeNulls[int64](c, values, fields)
	case reflect.Float32:
		encodeNulls[float32](c, values, fields)
	case reflect.Float64:
		encodeNulls[float64](c, values, fields)
	case reflect.String:
		for i := range values {
			if *field[string](fields, i) == "" {
				values[i] = parquet.NullValue()
			} else {
				values[i].SetDefinitionLevel(1)
			}
		}
	}
}

func encodeNulls[V number](c *column, values []parquet.Value, fields table) {
	absent, isNaN := V(c.absent), math.IsNaN(c.absent)
	for i := range values {
		if v := *field[V](fields, i); v == absent || isNaN && math.IsNaN(float64(v)) {
			values[i] = parquet.NullValue()
		} else {
			values[i].SetDefinitionLevel(1)
		}
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
