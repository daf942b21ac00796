package records

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/klauspost/compress/s2"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const (
	// snappyRatio is the maximum expansion of Snappy, whose copies of 64 bytes take 3.
	snappyRatio = 22
	// rowsPerByte limits the rows of a file: each record has at least 12 bytes of numbers that
	// are never NULL, which take half a byte.
	rowsPerByte = 2
)

// A file may come from somebody else, and parquet-go allocates what its numbers say. So
// metadata and checkPages return an error unless the bytes of the file can hold as much, in the
// encodings that recordEncoder uses.

// metadata returns the metadata of a Parquet file.
func metadata(r io.ReaderAt, size int64) (file format.FileMetaData, err error) {
	end, err := readAt(r, size, size-8, 8)
	if err != nil {
		return file, err
	}
	length := int64(binary.LittleEndian.Uint32(end))
	b, err := readAt(r, size, size-8-length, length)
	if err != nil {
		return file, err
	}
	if _, err := decodeThrift(b, &file); err != nil {
		return file, err
	}
	rows := int64(0)
	for _, g := range file.RowGroups {
		if rows += g.NumRows; g.NumRows < 0 || rows > rowsPerByte*size {
			return file, fmt.Errorf("%d rows in a file of %d bytes, which has room for %d", rows, size, rowsPerByte*size)
		}
	}
	if rows != file.NumRows {
		return file, fmt.Errorf("%d rows, but %d in its parts", file.NumRows, rows)
	}
	return file, nil
}

// readAt returns n bytes of the first size bytes of a file.
func readAt(r io.ReaderAt, size, offset, n int64) ([]byte, error) {
	if offset < 0 || n < 0 || n > size-offset {
		return nil, io.ErrUnexpectedEOF
	}
	b := make([]byte, n)
	_, err := r.ReadAt(b, offset)
	return b, err
}

// decodeThrift decodes a structure at the beginning of b and returns its length.
func decodeThrift(b []byte, v any) (n int, err error) {
	r := boundedLists{new(thrift.CompactProtocol).NewReaderFromBytes(b), len(b)}
	err = thrift.NewDecoder(r).Decode(v)
	return r.BytesRead(), err
}

type thriftReader = thrift.Reader // it has a method Reader

// A boundedLists refuses lists with more elements than bytes.
type boundedLists struct {
	thriftReader
	most int
}

func (r boundedLists) ReadList() (thrift.List, error) {
	list, err := r.thriftReader.ReadList()
	if err == nil && (list.Size < 0 || int(list.Size) > r.most) {
		err = fmt.Errorf("a list of %d elements in %d bytes", list.Size, r.most)
	}
	return list, err
}

// checkPages checks the pages of all columns.
func checkPages(r io.ReaderAt, size int64, file format.FileMetaData) error {
	left := size
	for _, g := range file.RowGroups {
		for _, c := range g.Columns {
			m := &c.MetaData
			start := m.DataPageOffset
			if m.DictionaryPageOffset != 0 {
				start = m.DictionaryPageOffset
			}
			if left -= m.TotalCompressedSize; left < 0 {
				return errors.New("its columns are larger than the file")
			}
			chunk, err := readAt(r, size, start, m.TotalCompressedSize)
			for err == nil && len(chunk) > 0 {
				chunk, err = checkPage(chunk, m.Codec, g.NumRows)
			}
			if err != nil {
				return fmt.Errorf("column %s: %w", strings.Join(m.PathInSchema, "."), err)
			}
		}
	}
	return nil
}

// checkPage checks the first page in a part of a column with a number of rows, and returns the
// others.
func checkPage(chunk []byte, codec format.CompressionCodec, rows int64) (others []byte, err error) {
	var h format.PageHeader
	n, err := decodeThrift(chunk, &h)
	if err != nil {
		return nil, err
	}
	if h.CompressedPageSize < 0 || int(h.CompressedPageSize) > len(chunk)-n {
		return nil, io.ErrUnexpectedEOF
	}
	page, others := chunk[n:n+int(h.CompressedPageSize)], chunk[n+int(h.CompressedPageSize):]
	values, count := page, int64(0)
	var encoding format.Encoding
	switch d := h.DataPageHeaderV2.V; {
	case codec != format.Snappy || d.IsCompressed.Valid && !d.IsCompressed.V:
		return nil, errors.New("not compressed by Snappy")
	case h.Type == format.DictionaryPage:
		count, encoding = int64(h.DictionaryPageHeader.V.NumValues), h.DictionaryPageHeader.V.Encoding
		rows = int64(len(page) * snappyRatio / 4) // a text begins with 4 bytes of its length
	case h.Type != format.DataPageV2:
		return nil, fmt.Errorf("a page of type %v, want version 2", h.Type)
	case d.RepetitionLevelsByteLength != 0 || d.DefinitionLevelsByteLength < 0 || int(d.DefinitionLevelsByteLength) > len(page):
		return nil, io.ErrUnexpectedEOF
	default:
		values, encoding = page[d.DefinitionLevelsByteLength:], d.Encoding
		count = max(int64(d.NumValues), runs(page[:d.DefinitionLevelsByteLength], 1))
	}
	size, err := s2.DecodedLen(values)
	if size = max(size, int(h.UncompressedPageSize)); err != nil || size > len(page)*snappyRatio {
		return nil, fmt.Errorf("a page of %d bytes in %d", size, len(page))
	}
	if encoding == format.RLEDictionary {
		indexes, err := s2.Decode(nil, values)
		if err != nil || len(indexes) == 0 {
			return others, err
		}
		count = max(count, runs(indexes[1:], int64(indexes[0])))
	} else if encoding != format.Plain {
		return nil, fmt.Errorf("encoded as %v, want PLAIN or RLE_DICTIONARY", encoding)
	}
	if count > rows {
		return nil, fmt.Errorf("a page of %d values, want at most %d", count, rows)
	}
	return others, nil
}

// runs returns the number of values of a width in bits in runs of equal values and in those of
// packed ones, not counting up to 7 that fill the last (Apache Parquet, Encodings, "RLE = 3").
func runs(b []byte, width int64) (n int64) {
	for len(b) > 0 {
		header, k := binary.Uvarint(b)
		if k <= 0 || header > math.MaxInt32 || width > 32 {
			return math.MaxInt64
		}
		count, bytes := int64(header>>1), (width+7)/8
		if header&1 != 0 {
			count, bytes = 8*count, width*count
		}
		n += count
		b = b[min(int64(len(b)), int64(k)+bytes):]
	}
	return n - 7
}
