package store

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// parquet-go trusts the sizes and counts in a file. A damaged or forged one makes
// it slice out of range, which recoverDamage catches, or run out of memory, which
// nothing can catch. Therefore all of them are checked against the bytes of the
// file first.

const (
	// maxFooter limits the metadata of a file in bytes. It has room for 400 million
	// records; each byte can take 100 in memory.
	maxFooter = 16 << 20
	// maxPage limits a page in bytes after decompression. Writers aim for 1 MiB.
	maxPage = 256 << 20
	// maxPageHeader limits the header of a page in bytes, which contains no more
	// than counts and two values.
	maxPageHeader = 64 << 10
	// snappyRatio is the maximum expansion of Snappy: 3 bytes copy up to 64
	// (google/snappy, format_description.txt).
	snappyRatio = 22
)

// recoverDamage turns a panic into an error.
func recoverDamage(err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("panic while reading Parquet: %v", fault)
	}
}

// openParquet opens a Parquet file of the given size in bytes. Call checkPages
// before reading rows.
func openParquet(r io.ReaderAt, size int64) (*parquet.File, error) {
	if err := checkFooter(r, size); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	// Every row has numbers in plain encoding, so it takes a byte at least even if
	// Snappy compresses them as much as it can.
	var rows int64
	for i, g := range f.RowGroups() {
		n := g.NumRows()
		if n < 0 || n > size-rows {
			return nil, fmt.Errorf("row group %d: %d rows in a file of %d bytes", i, n, size)
		}
		rows += n
	}
	if rows != f.NumRows() {
		return nil, fmt.Errorf("want %d rows, found %d in %d row groups", f.NumRows(), rows, len(f.RowGroups()))
	}
	return f, nil
}

func checkFooter(r io.ReaderAt, size int64) error {
	tail := make([]byte, 8) // length and signature
	if size < int64(len(tail)) {
		return io.ErrUnexpectedEOF
	}
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil {
		return err
	}
	if string(tail[4:]) != "PAR1" {
		return errors.New("not a Parquet file: no PAR1 at its end")
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if n > maxFooter || n > size-int64(len(tail)) {
		return fmt.Errorf("metadata of %d bytes, want at most %d", n, min(maxFooter, size-int64(len(tail))))
	}
	footer := make([]byte, n)
	if _, err := r.ReadAt(footer, size-int64(len(tail))-n); err != nil {
		return err
	}
	_, err := scanThrift(footer)
	return err
}

// checkPages checks the headers of all pages.
func checkPages(r io.ReaderAt, f *parquet.File) error {
	for i, g := range f.Metadata().RowGroups {
		for _, c := range g.Columns {
			if err := checkChunk(r, f.Size(), g.NumRows, &c.MetaData); err != nil {
				return fmt.Errorf("row group %d, column %s: %w", i, c.MetaData.PathInSchema, err)
			}
		}
	}
	return nil
}

// checkChunk checks the pages of one column of a row group.
func checkChunk(r io.ReaderAt, size, rows int64, m *format.ColumnMetaData) error {
	at := m.DataPageOffset
	if m.DictionaryPageOffset != 0 {
		at = m.DictionaryPageOffset
	}
	if at < 0 || at > size || m.TotalCompressedSize < 0 || m.TotalCompressedSize > size-at {
		return fmt.Errorf("%d bytes at %d in a file of %d bytes", m.TotalCompressedSize, at, size)
	}
	header := make([]byte, 512) // enough for nearly all
	for end := at + m.TotalCompressedSize; at < end; {
		page, n, err := readPageHeader(r, at, end, header)
		if errors.Is(err, errThrift) && len(header) < maxPageHeader {
			header = make([]byte, maxPageHeader)
			continue
		}
		if err != nil {
			return fmt.Errorf("page at %d: %w", at, err)
		}
		at += n
		if err := checkPage(r, at, end, rows, m.Codec, page); err != nil {
			return fmt.Errorf("page at %d: %w", at-n, err)
		}
		at += int64(page.CompressedPageSize)
	}
	return nil
}

// readPageHeader returns the header at a position before end, and its length in
// bytes. Its length is at most that of buffer.
func readPageHeader(r io.ReaderAt, at, end int64, buffer []byte) (*format.PageHeader, int64, error) {
	buffer = buffer[:min(int64(len(buffer)), end-at)]
	if _, err := r.ReadAt(buffer, at); err != nil {
		return nil, 0, err
	}
	n, err := scanThrift(buffer)
	if err != nil {
		return nil, 0, err
	}
	var page format.PageHeader
	err = thrift.Unmarshal(new(thrift.CompactProtocol), buffer[:n], &page)
	return &page, int64(n), err
}

// encodings are those whose values are as many as the page's header says.
//
//nolint:staticcheck // writers still use the deprecated PlainDictionary
var encodings = []format.Encoding{format.Plain, format.PlainDictionary, format.RLEDictionary, format.RLE, format.ByteStreamSplit}

// checkPage checks the header of a page whose content begins at a position.
func checkPage(r io.ReaderAt, at, end, rows int64, codec format.CompressionCodec, page *format.PageHeader) error {
	packed, unpacked := int64(page.CompressedPageSize), int64(page.UncompressedPageSize)
	if packed < 0 || packed > end-at || unpacked < 0 || unpacked > maxPage {
		return fmt.Errorf("%d bytes, compressed %d, with %d bytes left", unpacked, packed, end-at)
	}
	var values, levels int32 // levels: bytes before the compressed part
	encoding := format.Plain
	switch page.Type {
	case format.DataPage:
		values, encoding = page.DataPageHeader.V.NumValues, page.DataPageHeader.V.Encoding
	case format.DataPageV2:
		v2 := page.DataPageHeaderV2.V
		values, encoding = max(v2.NumValues, v2.NumRows), v2.Encoding
		if min(v2.DefinitionLevelsByteLength, v2.RepetitionLevelsByteLength) >= 0 {
			levels = v2.DefinitionLevelsByteLength + v2.RepetitionLevelsByteLength
		}
		if v2.IsCompressed.Valid && !v2.IsCompressed.V {
			codec = format.Uncompressed
		}
	case format.DictionaryPage:
		values = page.DictionaryPageHeader.V.NumValues
	}
	if values < 0 || int64(values) > rows {
		return fmt.Errorf("%d values in a row group of %d rows", values, rows)
	}
	if !slices.Contains(encodings, encoding) {
		return fmt.Errorf("encoding %v, want one of %v", encoding, encodings)
	}
	if levels < 0 || int64(levels) > packed {
		return fmt.Errorf("levels of %d bytes in a page of %d", levels, packed)
	}
	content := io.NewSectionReader(r, at+int64(levels), packed-int64(levels))
	return checkUnpacked(content, unpacked, codec)
}

// checkUnpacked checks that compressed content has at most limit bytes when it is
// decompressed.
func checkUnpacked(content *io.SectionReader, limit int64, codec format.CompressionCodec) error {
	if content.Size() == 0 {
		return nil
	}
	var unpacked io.Reader
	switch codec {
	case format.Uncompressed:
		return nil
	case format.Snappy: // begins with its length and cannot expand more than snappyRatio
		head := make([]byte, min(binary.MaxVarintLen64, content.Size()))
		if _, err := io.ReadFull(content, head); err != nil {
			return err
		}
		n, ok := binary.Uvarint(head)
		if ok <= 0 || n > uint64(limit) || n > uint64(snappyRatio*content.Size()) {
			return fmt.Errorf("%d bytes in a page of %d, compressed %d", n, limit, content.Size())
		}
		return nil
	case format.Gzip:
		z, err := gzip.NewReader(content)
		if err != nil {
			return err
		}
		unpacked = z
	case format.Zstd:
		z, err := zstd.NewReader(content, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage))
		if err != nil {
			return err
		}
		defer z.Close()
		unpacked = z
	default:
		return fmt.Errorf("compression %v, want %v, %v, %v or %v", codec, format.Snappy, format.Gzip, format.Zstd, format.Uncompressed)
	}
	n, err := io.Copy(io.Discard, io.LimitReader(unpacked, limit+1))
	if err == nil && n > limit {
		err = fmt.Errorf("more than %d bytes", limit)
	}
	return err
}
