package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"descbench/eval"
	"descbench/keypoints"
	"descbench/keypoints/npz"
	"descbench/keypoints/openfile/boundtest"
)

// reforged returns a Parquet file with other metadata.
func reforged(t testing.TB, file []byte, change func(*format.FileMetaData)) []byte {
	t.Helper()
	end := len(file) - 8
	start := end - int(binary.LittleEndian.Uint32(file[end:]))
	var m format.FileMetaData
	protocol := new(thrift.CompactProtocol)
	if err := thrift.Unmarshal(protocol, file[start:end], &m); err != nil {
		t.Fatal(err)
	}
	change(&m)
	footer, err := thrift.Marshal(protocol, &m)
	if err != nil {
		t.Fatal(err)
	}
	return withFooter(file[:start], footer)
}

func withFooter(pages, footer []byte) []byte {
	file := append(bytes.Clone(pages), footer...)
	return append(binary.LittleEndian.AppendUint32(file, uint32(len(footer))), "PAR1"...)
}

func decodeForged(file []byte) error {
	d, err := newRecordDecoder[eval.Query](bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return err
	}
	defer d.close()
	batch := make([]eval.Query, min(d.rows, rowsPerBatch))
	for {
		if _, err := d.read(batch); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// parquet-go would allocate what these files declare, up to hundreds of GB.
func TestForgedParquetFilesAreRefusedBeforeMemoryIsAllocated(t *testing.T) {
	sound, err := encodeRecords(manyQueries(100))
	if err != nil {
		t.Fatal(err)
	}
	chunk := func(change func(*format.ColumnMetaData)) []byte {
		return reforged(t, sound, func(m *format.FileMetaData) { change(&m.RowGroups[0].Columns[4].MetaData) })
	}
	huge := binary.AppendUvarint(nil, 1<<31-1)
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"rows": {reforged(t, sound, func(m *format.FileMetaData) {
			m.NumRows = 1 << 30
			m.RowGroups[0].NumRows = 1 << 30
			for i := range m.RowGroups[0].Columns {
				m.RowGroups[0].Columns[i].MetaData.NumValues = 1 << 30
			}
		}), "row group 0: 1073741824 rows in a file of "},
		"negative rows":        {reforged(t, sound, func(m *format.FileMetaData) { m.RowGroups[0].NumRows = -1 }), "row group 0 num_rows=-1 is negative"},
		"fewer rows":           {reforged(t, sound, func(m *format.FileMetaData) { m.RowGroups[0].NumRows, m.NumRows = 1, 1 }), "100 values in a row group of 1 rows"},
		"a list of row groups": {withFooter(sound[:4], append([]byte{0x49, 0xfc}, huge...)), "a list of 2147483647 elements"},
		"a text":               {withFooter(sound[:4], append([]byte{0x68}, huge...)), "a text of 2147483647 bytes"},
		"no metadata":          {append(binary.LittleEndian.AppendUint32([]byte("PAR1"), 1<<31), "PAR1"...), "metadata of 2147483648 bytes, want at most 4"},
		"a column outside":     {chunk(func(m *format.ColumnMetaData) { m.DataPageOffset = 1 << 40 }), "at 1099511627776 in a file of"},
		"a negative column":    {chunk(func(m *format.ColumnMetaData) { m.TotalCompressedSize = -1 }), "-1 bytes at"},
		"another compression":  {chunk(func(m *format.ColumnMetaData) { m.Codec = format.Brotli }), "compression BROTLI, want SNAPPY"},
	} {
		boundtest.Memory(t, len(c.file), 100, func() {
			if err := decodeForged(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q", name, err, c.want)
			}
		})
	}
}

// A unit is sound as a zip file if its checksums are forged as well.
func TestAForgedUnitIsRefusedBeforeMemoryIsAllocated(t *testing.T) {
	queries, err := encodeRecords(manyQueries(10))
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := encodeRecords[eval.Pair](nil)
	if err != nil {
		t.Fatal(err)
	}
	forged := reforged(t, queries, func(m *format.FileMetaData) { m.NumRows, m.RowGroups[0].NumRows = 1<<30, 1<<30 })
	path := UnitFile{Path: filepath.Join(t.TempDir(), "unit"), Identity: "x"}
	if err := writeContainer(path, kindEval, []npz.Member{{Name: queriesMember, Content: forged}, {Name: pairsMember, Content: pairs}}); err != nil {
		t.Fatal(err)
	}
	boundtest.Memory(t, 0, 0, func() {
		if _, err := ReadEval(path); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "1073741824 rows in a file of") {
			t.Errorf("error %v", err)
		}
	})
}

// Names become paths wherever a set is exported or derived from.
func TestAKeypointFileWhoseNamesLeadElsewhereIsRefused(t *testing.T) {
	scene := func(name, image string, images int) KeypointScene {
		s := KeypointScene{Name: name}
		for range images {
			s.Images = append(s.Images, KeypointImage{File: image})
		}
		return s
	}
	for want, s := range map[string]KeypointScene{
		`scene "../../outside", want the name of a folder`:  scene("../../outside", "1.png", 6),
		`scene "..", want the name of a folder`:             scene("..", "1.png", 6),
		`scene "", want the name of a folder`:               scene("", "1.png", 6),
		`scene "/etc", want the name of a folder`:           scene("/etc", "1.png", 6),
		`scene "a\nb", want the name of a folder`:           scene("a\nb", "1.png", 6),
		`v_a, image 1: "../1.png", want the name of a file`: scene("v_a", "../1.png", 6),
		`v_a, image 1: "a\\1.png", want the name of a file`: scene("v_a", `a\1.png`, 6),
		"": scene("v_ä <script>", "1.png", 6),
	} {
		path := filepath.Join(t.TempDir(), "set.parquet")
		w, err := CreateKeypointFile(path, KeypointHeader{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(s, make([]keypoints.Set, len(s.Images))); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := OpenKeypointFile(path)
		if err == nil {
			f.Close()
		}
		if want == "" && err != nil || want != "" && (!errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", s.Name, err, want)
		}
	}
}

func FuzzParquetRecords(f *testing.F) {
	for _, n := range []int{0, 1, 40} {
		file, err := encodeRecords(manyQueries(n))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		boundtest.Memory(t, len(file), 4000, func() { _ = decodeForged(file) }) // 22 of Snappy × 170 bytes per row
	})
}

func FuzzKeypointFile(f *testing.F) {
	path := filepath.Join(f.TempDir(), "set.parquet")
	w, err := CreateKeypointFile(path, KeypointHeader{Recipe: []string{"a"}})
	if err != nil {
		f.Fatal(err)
	}
	points := keypoints.Set{Keypoints: make([]keypoints.Keypoint, 10), Source: make([]int32, 10)}
	scene := KeypointScene{Name: "a"}
	for i := range 6 {
		scene.Images = append(scene.Images, KeypointImage{File: fmt.Sprintf("%d.png", i+1)})
	}
	if err := w.Add(scene, []keypoints.Set{{Keypoints: points.Keypoints}, points, points, {}, {}, {}}); err != nil {
		f.Fatal(err)
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Fuzz(func(t *testing.T, file []byte) {
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		boundtest.Memory(t, len(file), 4000, func() {
			k, err := OpenKeypointFile(path)
			if err != nil {
				return
			}
			defer k.Close()
			_ = k.Verify(t.Context())
		})
	})
}

func FuzzUnits(f *testing.F) {
	dir := f.TempDir()
	for i, write := range []func(u UnitFile) error{
		func(u UnitFile) error {
			return WriteSets(u, []keypoints.Set{{Keypoints: make([]keypoints.Keypoint, 3)}})
		},
		func(u UnitFile) error { return WriteEval(u, EvalUnit{Queries: manyQueries(3)}) },
	} {
		path := filepath.Join(dir, "seed")
		if err := write(UnitFile{path, "x"}); err != nil {
			f.Fatal(err)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), file)
	}
	f.Fuzz(func(t *testing.T, kind uint8, file []byte) {
		path := filepath.Join(dir, "unit")
		if n := len(file) - checksumDigits; n > 0 { // the checksum is forged as well
			file = fmt.Appendf(bytes.Clone(file[:n]), "%0*x", checksumDigits, crc32.ChecksumIEEE(file[:n]))
		}
		unit := UnitFile{path, "x"}
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		boundtest.Memory(t, len(file), 4000, func() {
			switch kind % 4 {
			case 0:
				_, _ = ReadSets(unit)
			case 1:
				_, _ = ReadEval(unit)
			case 2:
				_, _ = ReadTasks(unit)
			case 3:
				_, _ = ReadPool(unit)
			}
		})
	})
}
