package records

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"descbench/eval/must"
	"descbench/eval/record"
)

// Equal values in dictionaries take next to no bytes, whatever their number.
func TestMoreRowsThanTheirBytesCanHoldAreRefusedBeforeMemoryIsAllocated(t *testing.T) {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[record.Query](&b, parquet.Compression(&parquet.Snappy), parquet.DefaultEncoding(&parquet.RLEDictionary),
		parquet.KeyValueMetadata(recordsKey, recordsVersion))
	piece := make([]record.Query, 10_000)
	for range 40 {
		must.Get(w.Write(piece))(t)
	}
	must.Do(t, w.Close())
	must.BoundMemory(t, b.Len(), 100, func() {
		_, err := Decode[record.Query](b.Bytes())
		must.FailAbout(t, err, "400000 rows in a file of ")
	})
}

// Each forged number would be allocated: there are 3 rows of a dictionary of 1 value.
func TestForgedNumbersInParquetAreRefused(t *testing.T) {
	const most = 1<<31 - 1
	varint := func(n uint64) []byte { return binary.AppendUvarint(nil, n) }
	type parts struct {
		dictionary, data *format.PageHeader
		file             *format.FileMetaData
		indexes          []byte // of the rows in the dictionary
	}
	for name, forge := range map[string]func(p *parts){
		"":                               func(*parts) {},
		"a page of 2147483647 values":    func(p *parts) { p.data.DataPageHeaderV2.V.NumValues = most },
		"a page of 1073741816 values":    func(p *parts) { p.indexes = slices.Concat([]byte{1}, varint((1<<30-1)<<1), []byte{0}) },
		"a page of 2147483647 bytes":     func(p *parts) { p.data.UncompressedPageSize = most },
		"unexpected EOF":                 func(p *parts) { p.dictionary.CompressedPageSize = most },
		"a page of 2147483646 values":    func(p *parts) { p.dictionary.DictionaryPageHeader.V.NumValues = most - 1 },
		"encoded as DELTA_BINARY_PACKED": func(p *parts) { p.data.DataPageHeaderV2.V.Encoding = format.DeltaBinaryPacked },
		"not compressed by Snappy":       func(p *parts) { p.file.RowGroups[0].Columns[0].MetaData.Codec = format.Zstd },
		"2147483647 rows, but 3":         func(p *parts) { p.file.NumRows = most },
		"its columns are larger": func(p *parts) {
			p.file.RowGroups[0].Columns = slices.Repeat(p.file.RowGroups[0].Columns, 100)
		},
	} {
		marshal := func(v any) []byte {
			return must.Get(thrift.Marshal(new(thrift.CompactProtocol), v))(t)
		}
		snappy := func(b []byte) []byte {
			return must.Get(parquet.Snappy.Encode(nil, b))(t)
		}
		text := snappy([]byte("\x04\x00\x00\x00text"))
		dictionary := &format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: 8, CompressedPageSize: int32(len(text))}
		dictionary.DictionaryPageHeader.Valid, dictionary.DictionaryPageHeader.V.NumValues = true, 1
		data := &format.PageHeader{Type: format.DataPageV2}
		data.DataPageHeaderV2.Valid, data.DataPageHeaderV2.V = true, format.DataPageHeaderV2{NumValues: 3, NumRows: 3, Encoding: format.RLEDictionary}
		file := &format.FileMetaData{NumRows: 3, RowGroups: []format.RowGroup{{NumRows: 3, Columns: []format.ColumnChunk{{}}}}}
		column := &file.RowGroups[0].Columns[0].MetaData
		column.Codec = format.Snappy
		p := &parts{dictionary, data, file, []byte{1, 3 << 1, 0}}
		forge(p)
		indexes := snappy(p.indexes)
		data.CompressedPageSize = int32(len(indexes))
		b := slices.Concat([]byte("PAR1"), marshal(dictionary), text, marshal(data), indexes)
		columns := file.RowGroups[0].Columns
		for i := range columns {
			columns[i].MetaData.DictionaryPageOffset, columns[i].MetaData.TotalCompressedSize = 4, int64(len(b)-4)
		}
		footer := marshal(file)
		b = slices.Concat(b, footer, binary.LittleEndian.AppendUint32(nil, uint32(len(footer))), []byte("PAR1"))
		must.BoundMemory(t, len(b), 1000, func() {
			numbers, err := metadata(bytes.NewReader(b), int64(len(b)))
			if err == nil {
				err = checkPages(bytes.NewReader(b), int64(len(b)), numbers)
			}
			if (err == nil) != (name == "") || err != nil && !strings.Contains(err.Error(), name) {
				t.Errorf("%q: error %v", name, err)
			}
		})
	}
	// A structure whose field 2 is a list of 2³¹ - 1 structures.
	footer := slices.Concat([]byte{2<<4 | 9, 15<<4 | 12}, varint(most), []byte{0})
	b := slices.Concat(footer, binary.LittleEndian.AppendUint32(nil, uint32(len(footer))), []byte("PAR1"))
	_, err := metadata(bytes.NewReader(b), int64(len(b)))
	must.FailAbout(t, err, "a list of 2147483647 elements")
}
