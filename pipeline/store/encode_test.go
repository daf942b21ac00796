package store

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Other programs find pages by the sizes and offsets in the metadata, and skip row
// groups by the bounds of texts.
func TestTheMetadataOfColumnsDescribesTheirPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queries.parquet")
	queries := manyQueries(rowsPerGroup + 12_345)
	for i := range queries {
		if i%3 == 0 {
			queries[i].Truth = -1
		}
	}
	queries[7].Scene, queries[8].Scene = "a_least", "z_greatest"
	writeQueries(t, path, queries)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	meta := f.Metadata()
	if len(meta.RowGroups) != 2 {
		t.Fatalf("%d row groups, want 2", len(meta.RowGroups))
	}
	at := len("PAR1")
	for g, group := range meta.RowGroups {
		rows := queries[:rowsPerGroup]
		if g == 1 {
			rows = queries[rowsPerGroup:]
		}
		if group.NumRows != int64(len(rows)) {
			t.Errorf("group %d: %d rows, want %d", g, group.NumRows, len(rows))
		}
		var compressed, uncompressed int64
		for _, column := range group.Columns {
			m := column.MetaData
			name := m.PathInSchema[0]
			first := m.DataPageOffset
			if m.DictionaryPageOffset != 0 {
				first = m.DictionaryPageOffset
			}
			if first != int64(at) {
				t.Fatalf("group %d, %s: begins at %d, want %d, the end of the column before", g, name, first, at)
			}
			var size, values, nulls int64
			for end := at + int(m.TotalCompressedSize); at < end; {
				n, err := scanThrift(b[at:])
				if err != nil {
					t.Fatal(err)
				}
				var h format.PageHeader
				if err := thrift.Unmarshal(new(thrift.CompactProtocol), b[at:at+n], &h); err != nil {
					t.Fatal(err)
				}
				if h.Type == format.DataPageV2 {
					page := h.DataPageHeaderV2.V
					values, nulls = values+int64(page.NumValues), nulls+int64(page.NumNulls)
				}
				size += int64(n) + int64(h.UncompressedPageSize)
				at += n + int(h.CompressedPageSize)
			}
			if size != m.TotalUncompressedSize || values != m.NumValues || nulls != m.Statistics.NullCount {
				t.Errorf("group %d, %s: %d bytes, %d values, %d NULLs, want %d, %d, %d as in the pages", g, name,
					m.TotalUncompressedSize, m.NumValues, m.Statistics.NullCount, size, values, nulls)
			}
			compressed, uncompressed = compressed+m.TotalCompressedSize, uncompressed+m.TotalUncompressedSize
			wantNulls := int64(0)
			least, greatest := "", ""
			switch name {
			case "truth":
				for _, q := range rows {
					wantNulls += int64(bit(q.Truth < 0))
				}
			case "scene":
				least, greatest = rows[0].Scene, rows[0].Scene
				for _, q := range rows {
					least, greatest = min(least, q.Scene), max(greatest, q.Scene)
				}
			default:
				continue
			}
			if s := m.Statistics; s.NullCount != wantNulls || string(s.MinValue) != least || string(s.MaxValue) != greatest {
				t.Errorf("group %d, %s: %d NULLs, texts %q to %q, want %d, %q to %q", g, name,
					s.NullCount, s.MinValue, s.MaxValue, wantNulls, least, greatest)
			}
		}
		if group.TotalCompressedSize != compressed || group.TotalByteSize != uncompressed {
			t.Errorf("group %d: %d of %d bytes, want %d of %d", g, group.TotalCompressedSize, group.TotalByteSize, compressed, uncompressed)
		}
	}
	if footer := int(binary.LittleEndian.Uint32(b[len(b)-8:])); at != len(b)-8-footer {
		t.Errorf("columns end at %d, want %d", at, len(b)-8-footer)
	}
}
