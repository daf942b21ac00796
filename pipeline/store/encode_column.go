package store

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"maps"
	"math"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/klauspost/compress/s2"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A columnWriter encodes a column of the open row group. Texts are indexes of a
// dictionary.
type columnWriter struct {
	*column
	constant *string // the text in all rows; nil for a field of the records

	// The open page.
	rows    int
	levels  []byte  // of its rows: 0 if NULL; empty if the column is not optional
	values  []byte  // those that are not NULL, in plain encoding; of texts the dictionary
	indexes []int32 // of the texts that are not NULL

	dictionary map[string]int32 // of the row group
	text       string           // the last one
	index      int32            // its index

	pages []byte // those complete
	size  int64  // bytes in them before compression
	nulls int64  // NULLs in them
}

// columnWriters keeps the writers of complete files for the next one: many files are
// small, and growing their buffers would take as long as filling them.
var columnWriters = sync.Pool{New: func() any { return new(columnWriter) }}

func newColumnWriter(column *column, constant *string) *columnWriter {
	c := columnWriters.Get().(*columnWriter)
	c.column, c.constant = column, constant
	return c
}

// add appends the values of the first n records to the open page.
func (c *columnWriter) add(records table, n int) {
	var levels []byte
	if c.optional {
		levels = c.addLevels(records, n)
	}
	fields := records.of(c.column)
	if c.constant != nil {
		fields = table{first: unsafe.Pointer(c.constant)} // of size 0: all are the same
	}
	switch c.kind {
	case reflect.Bool:
		c.addBits(fields, n)
	case reflect.Int32, reflect.Float32:
		c.values = appendNumbers[uint32](c.values, fields, n, levels)
	case reflect.Int64, reflect.Float64:
		c.values = appendNumbers[uint64](c.values, fields, n, levels)
	case reflect.String:
		c.addTexts(fields, n, levels)
	}
	c.rows += n
}

// addLevels appends the levels of n records and returns them.
func (c *columnWriter) addLevels(records table, n int) []byte {
	decides := c.column
	if c.with != nil {
		decides = c.with
	}
	c.levels = slices.Grow(c.levels, n)[:c.rows+n]
	levels, fields := c.levels[c.rows:], records.of(decides)
	switch decides.kind {
	case reflect.Int32:
		setLevels[int32](levels, fields, decides.absent)
	case reflect.Int64:
		setLevels[int64](levels, fields, decides.absent)
	case reflect.Float32:
		setLevels[float32](levels, fields, decides.absent)
	case reflect.Float64:
		setLevels[float64](levels, fields, decides.absent)
	case reflect.String:
		for i := range levels {
			levels[i] = bit(*field[string](fields, i) != "")
		}
	}
	return levels
}

func setLevels[V number](levels []byte, fields table, absent float64) {
	if math.IsNaN(absent) {
		for i := range levels {
			levels[i] = bit(!math.IsNaN(float64(*field[V](fields, i))))
		}
		return
	}
	for i := range levels {
		levels[i] = bit(*field[V](fields, i) != V(absent))
	}
}

func bit(set bool) byte {
	if set {
		return 1
	}
	return 0
}

func (c *columnWriter) addBits(fields table, n int) {
	for i := range n {
		at := (c.rows + i) % 8
		if at == 0 {
			c.values = append(c.values, 0)
		}
		c.values[len(c.values)-1] |= bit(*field[bool](fields, i)) << at
	}
}

// appendNumbers appends the numbers of n records whose level is 1, or all if levels
// are nil.
func appendNumbers[V uint32 | uint64](to []byte, fields table, n int, levels []byte) []byte {
	size := int(unsafe.Sizeof(V(0)))
	at := len(to)
	to = slices.Grow(to, n*size)
	to = to[:at+n*size]
	for i := range n {
		if v := *field[V](fields, i); size == 4 {
			binary.LittleEndian.PutUint32(to[at:], uint32(v))
		} else {
			binary.LittleEndian.PutUint64(to[at:], uint64(v))
		}
		if levels == nil {
			at += size
		} else {
			at += size * int(levels[i]) // the next number takes the place of a NULL
		}
	}
	return to[:at]
}

func (c *columnWriter) addTexts(fields table, n int, levels []byte) {
	for i := range n {
		if levels != nil && levels[i] == 0 {
			continue
		}
		if text := *field[string](fields, i); text != c.text || len(c.dictionary) == 0 {
			c.find(text)
		}
		c.indexes = append(c.indexes, c.index)
	}
}

// find looks up a text in the dictionary, or adds it.
func (c *columnWriter) find(text string) {
	index, ok := c.dictionary[text]
	if !ok {
		if c.dictionary == nil {
			c.dictionary = make(map[string]int32)
		}
		index = int32(len(c.dictionary))
		c.dictionary[text] = index
		c.values = append(binary.LittleEndian.AppendUint32(c.values, uint32(len(text))), text...)
	}
	c.text, c.index = text, index
}

// pageBuffers are what pages are made of, one at a time.
type pageBuffers struct{ levels, values, compressed []byte }

// endPage completes the open page.
func (c *columnWriter) endPage(b *pageBuffers) (err error) {
	v2 := format.DataPageHeaderV2{NumValues: int32(c.rows), NumRows: int32(c.rows), Encoding: format.Plain}
	b.levels = b.levels[:0]
	if c.optional {
		if b.levels, err = (&rle.Encoding{BitWidth: 1}).EncodeLevels(b.levels, c.levels); err != nil {
			return err
		}
		v2.DefinitionLevelsByteLength = int32(len(b.levels))
		v2.NumNulls = int32(bytes.Count(c.levels, []byte{0}))
		v2.Statistics.NullCount = int64(v2.NumNulls)
		c.nulls += v2.Statistics.NullCount
		c.levels = c.levels[:0]
	}
	values := c.values
	if c.kind == reflect.String {
		if b.values, err = parquet.RLEDictionary.EncodeInt32(b.values, c.indexes); err != nil {
			return err
		}
		v2.Encoding, values, c.indexes = format.RLEDictionary, b.values, c.indexes[:0]
	} else {
		c.values = c.values[:0]
	}
	c.rows = 0
	c.pages, err = c.appendPage(c.pages, format.PageHeader{Type: format.DataPageV2, DataPageHeaderV2: thrift.New(v2)}, values, b)
	return err
}

// endChunk completes the column of the row group. It returns the page of the
// dictionary, nil if it has none, and the description of all pages without their
// place and type.
func (c *columnWriter) endChunk(b *pageBuffers) (dictionary []byte, m format.ColumnMetaData, err error) {
	m = format.ColumnMetaData{PathInSchema: []string{c.name}, Codec: format.Snappy, Encoding: []format.Encoding{format.Plain}}
	if c.optional {
		m.Encoding = append(m.Encoding, format.RLE)
	}
	if c.kind == reflect.String {
		m.Encoding = append(m.Encoding, format.RLEDictionary)
		if texts := slices.Sorted(maps.Keys(c.dictionary)); len(texts) > 0 { // records are searched for by them
			m.Statistics.MinValue, m.Statistics.MaxValue = []byte(texts[0]), []byte(texts[len(texts)-1])
		}
		b.levels = b.levels[:0]
		header := format.DictionaryPageHeader{NumValues: int32(len(c.dictionary)), Encoding: format.Plain}
		dictionary, err = c.appendPage(nil, format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(header)}, c.values, b)
	}
	m.Statistics.NullCount = c.nulls
	m.TotalUncompressedSize = c.size
	m.TotalCompressedSize = int64(len(dictionary) + len(c.pages))
	return dictionary, m, err
}

// appendPage appends a page with b.levels and values.
func (c *columnWriter) appendPage(to []byte, header format.PageHeader, values []byte, b *pageBuffers) ([]byte, error) {
	b.compressed = s2.EncodeSnappy(b.compressed[:cap(b.compressed)], values)
	header.UncompressedPageSize = int32(len(b.levels) + len(values))
	header.CompressedPageSize = int32(len(b.levels) + len(b.compressed))
	header.CRC = int32(crc32.Update(crc32.ChecksumIEEE(b.levels), crc32.IEEETable, b.compressed))
	head, err := thrift.Marshal(new(thrift.CompactProtocol), &header)
	c.size += int64(len(head)) + int64(header.UncompressedPageSize)
	return append(append(append(to, head...), b.levels...), b.compressed...), err
}

// reset begins a row group. It keeps the buffers.
func (c *columnWriter) reset() {
	c.values, c.pages, c.size, c.nulls = c.values[:0], c.pages[:0], 0, 0
	clear(c.dictionary)
}

func (c *columnWriter) free() {
	c.reset()
	columnWriters.Put(c)
}
