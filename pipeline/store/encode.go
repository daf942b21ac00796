package store

import (
	"encoding/binary"
	"io"
	"math"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const (
	// rowsPerPiece is the number of rows that all columns encode or decode in turn: few
	// enough to stay in the cache.
	rowsPerPiece = 256
	// rowsPerPage determines the bytes of a file. It divides rowsPerGroup.
	rowsPerPage = 32 << 10
)

// A recordEncoder writes records as a Parquet file, column by column. It lays out the
// file itself, because parquet-go's writer takes every value as a parquet.Value, which
// needs three times the time.
type recordEncoder[T record] struct {
	to      io.Writer
	at      int64 // bytes written
	columns []*columnWriter
	page    int // rows in the open pages
	group   int // rows in the complete pages of the open row group
	meta    format.FileMetaData
	buffers pageBuffers
}

// newRecordEncoder returns an encoder of a file with the columns of T. If experiment
// is not empty, the first column names it in every row.
func newRecordEncoder[T record](w io.Writer, experiment string) (*recordEncoder[T], error) {
	e := &recordEncoder[T]{to: w}
	first := ""
	if experiment != "" {
		first = experimentColumn
		same := &column{name: first, kind: reflect.String}
		e.columns = append(e.columns, newColumnWriter(same, &experiment))
	}
	l, err := layoutOf(reflect.TypeFor[T](), first)
	if err != nil {
		return nil, err
	}
	for i := range l.columns {
		e.columns = append(e.columns, newColumnWriter(&l.columns[i], nil))
	}
	e.meta = l.empty
	return e, e.write([]byte("PAR1"))
}

func (e *recordEncoder[T]) write(b []byte) error {
	n, err := e.to.Write(b)
	e.at += int64(n)
	return err
}

// add writes rows. The bytes of the file do not depend on how rows are split over
// calls.
func (e *recordEncoder[T]) add(rows []T) error {
	for len(rows) > 0 {
		n := min(len(rows), rowsPerPiece, rowsPerPage-e.page)
		for _, c := range e.columns {
			c.add(tableOf(rows), n)
		}
		rows = rows[n:]
		if e.page += n; e.page < rowsPerPage {
			continue
		}
		if err := e.endPages(); err != nil {
			return err
		}
		if e.group < rowsPerGroup {
			continue
		}
		if err := e.endGroup(); err != nil {
			return err
		}
	}
	return nil
}

func (e *recordEncoder[T]) endPages() error {
	for _, c := range e.columns {
		if err := c.endPage(&e.buffers); err != nil {
			return err
		}
	}
	e.group += e.page
	e.page = 0
	return nil
}

// endGroup writes the columns of the open row group one after the other.
func (e *recordEncoder[T]) endGroup() error {
	g := format.RowGroup{NumRows: int64(e.group), FileOffset: e.at, Ordinal: int16(len(e.meta.RowGroups))}
	if g.Ordinal == math.MaxInt16 {
		return parquet.ErrTooManyRowGroups
	}
	for i, c := range e.columns {
		dictionary, m, err := c.endChunk(&e.buffers)
		if err != nil {
			return err
		}
		m.NumValues = g.NumRows
		m.Type = e.meta.Schema[1+i].Type.V // the first one is the row
		if dictionary != nil {
			m.DictionaryPageOffset = e.at
			if err := e.write(dictionary); err != nil {
				return err
			}
		}
		m.DataPageOffset = e.at
		if err := e.write(c.pages); err != nil {
			return err
		}
		c.reset()
		g.Columns = append(g.Columns, format.ColumnChunk{MetaData: m})
		g.TotalByteSize += m.TotalUncompressedSize
		g.TotalCompressedSize += m.TotalCompressedSize
	}
	e.group = 0
	e.meta.NumRows += g.NumRows
	e.meta.RowGroups = append(e.meta.RowGroups, g)
	return nil
}

func (e *recordEncoder[T]) close() error {
	if e.page > 0 {
		if err := e.endPages(); err != nil {
			return err
		}
	}
	if e.group > 0 {
		if err := e.endGroup(); err != nil {
			return err
		}
	}
	for _, c := range e.columns {
		c.free()
	}
	e.columns = nil
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &e.meta)
	if err != nil {
		return err
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	return e.write(append(footer, "PAR1"...))
}
