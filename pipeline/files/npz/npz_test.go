package npz

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
)

// npyFile returns a file with a header as given, in version 1, and the elements.
func npyFile(header string, elements ...any) []byte {
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	_ = binary.Write(&b, binary.LittleEndian, uint16(len(header)))
	b.WriteString(header)
	for _, e := range elements {
		_ = binary.Write(&b, binary.LittleEndian, e)
	}
	return b.Bytes()
}

// float64s returns the elements in C order.
func (a Array) float64s() (v []float64, err error) {
	v = make([]float64, len(a.data)) // at least one byte each
	n := 0
	err = a.Each(func(i int, value float64) error {
		v[i] = value
		n++
		return nil
	})
	return v[:n], err
}

// The example of the format's description: the header, padded by spaces to a
// multiple of 64 bytes with what is before it, ends in a line break.
func TestAnArrayIsWrittenAsTheFormatSays(t *testing.T) {
	m := Of([]float32{1, 2, 3, 4, 5, 6}, 3, 2).Member("a")
	got := m.Content
	if m.Name != "a.npy" {
		t.Errorf("the member is called %s", m.Name)
	}
	header := "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }"
	header += strings.Repeat(" ", 128-10-1-len(header)) + "\n"
	if want := npyFile(header, []float32{1, 2, 3, 4, 5, 6}); !bytes.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if len(got)-24 != 128 {
		t.Errorf("elements begin at byte %d, want 128", len(got)-24)
	}
}

func TestHeadersOfOtherProgramsAreRead(t *testing.T) {
	for name, header := range map[string]string{
		"keys in another order":    "{'shape': (2,3), 'fortran_order': False, 'descr': '<f4'}",
		"no space, no comma":       "{'descr':'<f4','fortran_order':False,'shape':(2,3)}\n",
		"Python 2":                 "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }   \n",
		"the machine's byte order": "{'descr': '=f4', 'fortran_order': False, 'shape': (2, 3), }\n",
	} {
		a, err := Parse(npyFile(header, []float32{1, 2, 3, 4, 5, 6}))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if v, err := a.float64s(); err != nil || !slices.Equal(v, []float64{1, 2, 3, 4, 5, 6}) || a.ShapeString() != "(2, 3)" {
			t.Errorf("%s: %v of shape %s, error %v", name, v, a.ShapeString(), err)
		}
	}
}

func TestElementsOfEveryTypeAndOrderAreRead(t *testing.T) {
	for _, c := range []struct {
		descr    string
		elements any
		want     []float64
	}{
		{"|i1", []int8{-128, 127}, []float64{-128, 127}},
		{"|u1", []uint8{0, 255}, []float64{0, 255}},
		{"<i2", []int16{-32768, 5}, []float64{-32768, 5}},
		{"<u2", []uint16{65535, 5}, []float64{65535, 5}},
		{"<i4", []int32{math.MinInt32, 5}, []float64{math.MinInt32, 5}},
		{"<u4", []uint32{math.MaxUint32, 5}, []float64{math.MaxUint32, 5}},
		{"<i8", []int64{-1 << 53, 5}, []float64{-1 << 53, 5}},
		{"<u8", []uint64{1 << 63, 5}, []float64{1 << 63, 5}},
		// The values of IEEE 754: 1.5, -2, the least and the greatest, infinity.
		{"<f2", []uint16{0x3e00, 0xc000}, []float64{1.5, -2}},
		{"<f2", []uint16{0x0001, 0x03ff}, []float64{math.Pow(2, -24), 1023 * math.Pow(2, -24)}},
		{"<f2", []uint16{0x0400, 0x7bff}, []float64{math.Pow(2, -14), 65504}},
		{"<f2", []uint16{0x7c00, 0xfc00}, []float64{math.Inf(1), math.Inf(-1)}},
		{">f2", []uint16{0x003e, 0x00c0}, []float64{1.5, -2}}, // bytes swapped
		{"<f4", []float32{0.1, -5}, []float64{float64(float32(0.1)), -5}},
		{"<f8", []float64{0.1, math.Inf(-1)}, []float64{0.1, math.Inf(-1)}},
		{">i4", []int32{1 << 24, 0x02000000}, []float64{1, 2}}, // bytes swapped
	} {
		a, err := Parse(npyFile("{'descr': '"+c.descr+"', 'fortran_order': False, 'shape': (2,), }\n", c.elements))
		if err != nil {
			t.Errorf("%s: %v", c.descr, err)
			continue
		}
		if got, err := a.float64s(); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.descr, got, err, c.want)
		}
	}
	// [[1, 2, 3], [4, 5, 6]] column by column.
	a, err := Parse(npyFile("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", []uint8{1, 4, 2, 5, 3, 6}))
	must.Do(t, err)
	if got, err := a.float64s(); err != nil || !slices.Equal(got, []float64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("Fortran order: got %v, %v", got, err)
	}
	for _, bits := range []uint16{0x7c01, 0x7e00, 0xffff} {
		if v := half(bits); !math.IsNaN(v) {
			t.Errorf("%04x is %v, want NaN", bits, v)
		}
	}
}

func TestWhatIsNoArrayIsRefusedWithTheReason(t *testing.T) {
	good := "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n"
	six := []float32{1, 2, 3, 4, 5, 6}
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "not a NumPy array"},
		{"text", []byte("x,y\n1,2\n3,4"), "not a NumPy array"},
		{"version 9", []byte("\x93NUMPY\x09\x00\x10\x00"), "NumPy format version 9, want 1 to 3"},
		{"cut in the header", npyFile(good)[:40], "read header of 60 bytes"},
		{"cut in the elements", npyFile(good, six)[:90], "20 bytes of elements, want 24 for shape (2, 3) and type <f4"},
		{"too long", npyFile(good, six, six), "48 bytes of elements, want 24"},
		{"no dictionary", npyFile("hello"), `header "hello", want element type, order and shape`},
		{"a structured type", npyFile("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }"), "want element type"},
		{"objects", npyFile("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }"), "element type |O, want a type of fixed size"},
		{"a huge shape", npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }"), "is too large"},
		{"an empty array of a huge shape", npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296), }"), "is too large"},
		{"a negative shape", npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 2), }"), "want element type, order and shape"},
		{"a long header", npyFile("{'descr': '<f4', " + strings.Repeat(" ", 65500) + "}"), "want element type"},
		{"a longer header", []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"), "header of 4294967295 bytes, want at most 65536"},
		{"a huger shape", npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }"), "want whole numbers"},
		{"elements missing", npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296,), }"), "0 bytes of elements, want 17179869184"},
	} {
		if _, err := Parse(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	for descr, elements := range map[string]any{"<c8": []float32{1, 2}, "<U1": []uint32{65}, "|b1": []bool{true}} {
		a, err := Parse(npyFile("{'descr': '"+descr+"', 'fortran_order': False, 'shape': (1,), }\n", elements))
		if err != nil {
			t.Errorf("%s: %v", descr, err)
			continue
		}
		want := "element type " + descr + ", want integers or 16-, 32- or 64-bit floating-point numbers"
		if _, err := a.float64s(); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %q", descr, err, want)
		}
	}
}

func TestArchivesWithFaultsAreRefused(t *testing.T) {
	open := func(b []byte) (*Archive, error) { return NewArchive(bytes.NewReader(b), int64(len(b))) }
	if _, err := open([]byte("PK, but no archive")); err == nil || !strings.Contains(err.Error(), "not an .npz") {
		t.Errorf("no archive: %v", err)
	}
	var file bytes.Buffer
	member := Of([]int32{1, 2}, 2).Member("a")
	must.Do(t, WriteArchive(&file, []Member{member}, ""))
	archive, err := open(file.Bytes())
	must.Do(t, err)
	if _, err := archive.Array("b"); err == nil || err.Error() != `no array b; found ["a"]` {
		t.Errorf("a missing array: %v", err)
	}
	damaged := bytes.Clone(file.Bytes())
	damaged[bytes.Index(damaged, []byte{1, 0, 0, 0, 2, 0, 0, 0})]++ // an element
	sum := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(member.Content))
	for _, content := range [][]byte{damaged, bytes.ReplaceAll(file.Bytes(), sum, make([]byte, 4))} {
		if archive, err = open(content); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Array("a"); err == nil || !strings.Contains(err.Error(), "a: ") || !strings.Contains(err.Error(), "checksum") {
			t.Errorf("a damaged array, or a checksum of 0: %v", err)
		}
	}
	encrypted := bytes.Clone(file.Bytes())
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= 1 // the flag in the directory, APPNOTE.TXT, section 4.3.12
	archive, err = open(encrypted)
	must.Do(t, err)
	if _, err := archive.Array("a"); err == nil || err.Error() != "a: the array is encrypted, want an archive without a password" {
		t.Errorf("an encrypted array: %v", err)
	}
	var twice bytes.Buffer
	z := zip.NewWriter(&twice)
	for range 2 {
		if _, err := z.Create("a.npy"); err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, z.Close())
	if _, err := open(twice.Bytes()); err == nil || err.Error() != "two arrays are named a" {
		t.Errorf("one name twice: %v", err)
	}
}

func FuzzReadNeverPanics(f *testing.F) {
	f.Add(npyFile("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }\n", []float32{1, 2}))
	f.Add(npyFile("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", uint8(1)))
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"))
	f.Add(npyFile("{'descr': 'f', 'fortran_order': False, 'shape': (0, 9999999999), }"))
	f.Add(npyFile("{'descr': '|u1', 'fortran_order': True, 'shape': (99999999999, 0), }"))
	f.Fuzz(func(t *testing.T, file []byte) {
		must.BoundMemory(t, len(file), 100, func() { // a dimension "1," becomes an int and a string
			a, err := Parse(file)
			if err != nil {
				return
			}
			v, err := a.float64s()
			if err != nil {
				return
			}
			n := 1
			for _, dim := range a.Shape {
				n *= dim
			}
			if len(v) != n {
				t.Errorf("%d elements of shape %s", len(v), a.ShapeString())
			}
		})
	})
}

// zipOf returns an archive of one compressed array whose directory declares the
// given sizes; 0 stands for the true size.
func zipOf(t testing.TB, content []byte, declared uint64) []byte {
	t.Helper()
	var packed, file bytes.Buffer
	deflate, err := flate.NewWriter(&packed, 9)
	must.Do(t, err)
	if _, err = deflate.Write(content); err == nil {
		err = deflate.Close()
	}
	must.Do(t, err)
	if declared == 0 {
		declared = uint64(len(content))
	}
	z := zip.NewWriter(&file)
	w, err := z.CreateRaw(&zip.FileHeader{
		Name: "a.npy", Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(content),
		CompressedSize64: uint64(packed.Len()), UncompressedSize64: declared,
	})
	if err == nil {
		_, err = w.Write(packed.Bytes())
	}
	if err == nil {
		err = z.Close()
	}
	must.Do(t, err)
	return file.Bytes()
}

func FuzzArchivesTakeLittleMemory(f *testing.F) {
	array := Of([]float32{1, 2, 3}, 3).Member("a").Content
	f.Add(zipOf(f, array, 0))
	f.Add(zipOf(f, array, 1<<40))
	f.Add(zipOf(f, array, 20000))
	var stored bytes.Buffer
	if err := WriteArchive(&stored, []Member{{"a.npy", array}, {"../b", nil}}, "a comment"); err != nil {
		f.Fatal(err)
	}
	f.Add(stored.Bytes())
	f.Fuzz(func(t *testing.T, file []byte) {
		must.BoundMemory(t, len(file), 2*deflateRatio, func() {
			a, err := NewArchive(bytes.NewReader(file), int64(len(file)))
			if err != nil {
				return
			}
			for _, name := range a.Unread()[:min(2, len(a.Unread()))] {
				_, _ = a.Array(name)
			}
		})
	})
}

// A zip of 400 bytes can declare any size, and one of 3 MB can hold 3 GB.
func TestDeclaredSizesAreCheckedBeforeMemoryIsAllocated(t *testing.T) {
	array := Of(make([]uint8, 1000), 1000).Member("a").Content
	for _, c := range []struct {
		declared uint64
		want     string
	}{
		{0, ""},
		{1 << 40, "1099511627776 bytes declared, want at most "},
		{500 << 20, "524288000 bytes declared, want at most "},
		{uint64(len(array)) + 1, "unexpected EOF"},
		{uint64(len(array)) - 1, "not a valid zip file"},
	} {
		file := zipOf(t, array, c.declared)
		must.BoundMemory(t, 0, 0, func() {
			archive, err := NewArchive(bytes.NewReader(file), int64(len(file)))
			must.Do(t, err)
			_, err = archive.Array("a")
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%d bytes declared: error %v, want %q", c.declared, err, c.want)
			}
		})
	}
}

func TestAnArchiveOfTooManyMembersIsRefusedBeforeTheyAreListed(t *testing.T) {
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	for i := range 90_000 {
		if _, err := z.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("%050d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, z.Close())
	_, err := NewArchive(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err == nil || !strings.Contains(err.Error(), "its directory is larger than 8388608 bytes") {
		t.Errorf("error %v", err)
	}
}

func roundTrip[T Element](t *testing.T, v []T) {
	a, err := Parse(Of(v, len(v)).Member("").Content)
	must.Do(t, err)
	if got, err := Elements[T](a, 1); err != nil || !slices.Equal(got, v) || got == nil {
		t.Errorf("got %v, %v, want %v", got, err, v)
	}
}

func TestElementsAreReadBitByBitAndOnlyAsTheTypeTheyAreOf(t *testing.T) {
	roundTrip(t, []uint8{0, 255})
	roundTrip(t, []bool{true, false})
	roundTrip(t, []int32{math.MinInt32, math.MaxInt32})
	roundTrip(t, []int64{math.MinInt64, math.MaxInt64})
	roundTrip(t, []float32{-0.1, float32(math.Inf(1)), 1e-45})
	roundTrip(t, []float32{})
	if v, err := Text("float32", 7).Text(); err != nil || v != "float32" {
		t.Errorf("text %q, %v", v, err)
	}
	if v, err := Text("a", 7).Text(); err != nil || v != "a" {
		t.Errorf("text %q, %v", v, err)
	}
	if _, err := Of([]uint8{65}).Text(); err == nil {
		t.Error("a number was read as text")
	}
	wrong := Of([]float32{1, 2, 3, 4}, 2, 2)
	if _, err := Elements[int32](wrong, 2); err == nil || err.Error() != "element type <f4 and shape (2, 2), want a 2-dimensional array of int32 in C order" {
		t.Errorf("other type: %v", err)
	}
	if _, err := Elements[float32](wrong, 1); err == nil {
		t.Error("a matrix was read as a vector")
	}
	wrong.Fortran = true
	if _, err := Elements[float32](wrong, 2); err == nil || !strings.Contains(err.Error(), "in Fortran order, want") {
		t.Errorf("Fortran order: %v", err)
	}
	if _, err := Elements[bool](Array{Type: "|b1", Shape: []int{2}, data: []byte{1, 2}}, 1); err == nil || err.Error() != "element 1 is 2, want 0 or 1" {
		t.Errorf("a truth value of 2: %v", err)
	}
}
