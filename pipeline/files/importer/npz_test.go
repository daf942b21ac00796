package importer_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/files/npz"
)

func options(elements descriptors.ElementType) importer.Options {
	return importer.Options{Origin: importer.Center, Elements: importer.Elements(elements.String())}
}

// write writes a file of the content and returns its path.
func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, content, 0o600))
	return path
}

// archive writes an .npz and returns its path.
func archive(t *testing.T, members ...npz.Member) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, npz.WriteArchive(&b, members, ""))
	return write(t, "1.features", b.Bytes())
}

func mustRead(t *testing.T, path string, o importer.Options) *importer.Features {
	t.Helper()
	f := must.Get(importer.Read(path, 640, 480, o))(t)
	return f
}

// at returns a keypoint with nothing but a position.
func at(x, y float32) keypoints.Keypoint {
	return keypoints.Keypoint{X: x, Y: y, Angle: -1, ClassID: -1}
}

// The expected numbers are those in testdata/make.py.

func TestD2NetsFilesAreRead(t *testing.T) {
	f := mustRead(t, "testdata/1.ppm.d2-net", options(descriptors.Float32))
	want := []keypoints.Keypoint{
		{X: 10.5, Y: 20.25, Size: 1, Angle: -1, Response: 0.75, ClassID: -1},
		{X: 0, Y: 479, Size: 2, Angle: -1, Response: 0.5, ClassID: -1},
		{X: 639, Y: 0.125, Size: 0.5, Angle: -1, Response: 0.25, ClassID: -1},
	}
	if !slices.Equal(f.Keypoints.Keypoints, want) || f.Keypoints.Source != nil {
		t.Errorf("keypoints %+v, want %+v", f.Keypoints, want)
	}
	m := f.Descriptors
	if m.Type != descriptors.Float32 || m.Rows != 3 || m.Dim != 3 || !slices.Equal(m.Float32, []float32{1, 0, -0.5, 0, 0, 0, 0.1, 0.5, 0}) ||
		!slices.Equal(m.Valid(), []bool{true, false, true}) {
		t.Errorf("descriptors %+v", m)
	}
	if f.NotFinite != 1 || len(f.Ignored) != 0 {
		t.Errorf("%d not finite, ignored %q", f.NotFinite, f.Ignored)
	}
}

func TestNumbersOfEveryFormAreRead(t *testing.T) {
	for _, file := range []string{"compressed.npz", "fortran.npz", "big_endian.npz", "half.npz"} {
		f := mustRead(t, filepath.Join("testdata", file), options(descriptors.Float32))
		if !slices.Equal(f.Keypoints.Keypoints, []keypoints.Keypoint{at(10.5, 20.25), at(0, 479), at(639, 0.125)}) {
			t.Errorf("%s: keypoints %+v", file, f.Keypoints)
		}
		// Rows 1 and 2 have elements that are not finite, and read as zeros.
		if m := f.Descriptors; !slices.Equal(m.Float32, []float32{1, 0, -0.5, 0, 0, 0, 0, 0, 0}) || !slices.Equal(m.Valid(), []bool{true, false, false}) {
			t.Errorf("%s: descriptors %+v", file, m)
		}
		if f.NotFinite != 2 {
			t.Errorf("%s: %d rows not finite, want 2", file, f.NotFinite)
		}
	}
}

func TestBytesAreWhatTheyAreDeclaredToBe(t *testing.T) {
	small := []uint8{0, 255, 7, 0, 0, 0, 1, 2, 3}
	for _, file := range []string{"bytes.npz", "bytes_fortran.npz"} {
		for elements, want := range map[descriptors.ElementType]*descriptors.Matrix{
			descriptors.Uint8:   {Rows: 3, Dim: 3, Type: descriptors.Uint8, Uint8: small},
			descriptors.Bits:    {Rows: 3, Dim: 24, Type: descriptors.Bits, Uint8: small}, // zeros are bits like others
			descriptors.Float32: {Rows: 3, Dim: 3, Type: descriptors.Float32, Float32: []float32{0, 255, 7, 0, 0, 0, 1, 2, 3}},
		} {
			if elements != descriptors.Bits {
				want.Mark(1)
			}
			f := mustRead(t, filepath.Join("testdata", file), options(elements))
			if !reflect.DeepEqual(f.Descriptors, want) {
				t.Errorf("%s as %v: %+v, want %+v", file, elements, f.Descriptors, want)
			}
			if f.NotFinite != 0 {
				t.Errorf("%s as %v: %d not finite", file, elements, f.NotFinite)
			}
		}
	}
}

func TestRowsThatTheFileCallsInvalidAre(t *testing.T) {
	for _, elements := range []descriptors.ElementType{descriptors.Bits, descriptors.Uint8} {
		f := mustRead(t, archive(t,
			npz.Of([]float32{1, 2, 3, 4, 5, 6}, 3, 2).Member("keypoints"),
			npz.Of([]uint8{1, 2, 3, 4, 5, 6}, 3, 2).Member("descriptors"),
			npz.Of([]bool{true, false, true}, 3).Member("valid"),
		), options(elements))
		if !slices.Equal(f.Descriptors.Valid(), []bool{true, false, true}) || !slices.Equal(f.Descriptors.Uint8, []uint8{1, 2, 0, 0, 5, 6}) || len(f.Ignored) != 0 {
			t.Errorf("%v: %+v, ignored %q", elements, f.Descriptors, f.Ignored)
		}
	}
}

func TestAnImageWithoutKeypointsIsRead(t *testing.T) {
	none := archive(t, npz.Of[float32](nil, 0, 2).Member("keypoints"), npz.Of[float32](nil, 0, 32).Member("descriptors"))
	table := write(t, "1.csv", []byte("x,y"+elementNames(32)+"\n"))
	for elements, dim := range map[descriptors.ElementType]int{descriptors.Float32: 32, descriptors.Uint8: 32, descriptors.Bits: 256} {
		for _, path := range []string{none, table} {
			f := mustRead(t, path, options(elements))
			if m := f.Descriptors; f.Keypoints.Len() != 0 || m.Rows != 0 || m.Dim != dim || m.Type != elements {
				t.Errorf("%s: %d keypoints, %d×%d descriptors of %v", path, f.Keypoints.Len(), m.Rows, m.Dim, m.Type)
			}
		}
	}
}

func TestFaultsOfArchivesAreNamed(t *testing.T) {
	two := npz.Of([]float32{1, 2, 3, 4}, 2, 2).Member("keypoints")
	rows := func(a npz.Array) npz.Member { return a.Member("descriptors") }
	good := rows(npz.Of([]uint8{1, 2, 3, 4}, 2, 2))
	four := []float32{1, 2, 3, 4}
	for _, c := range []struct {
		path     string
		elements descriptors.ElementType
		want     string
	}{
		{"testdata/objects.npz", descriptors.Float32, "descriptors: element type |O"},
		{"testdata/single.npy", descriptors.Float32, "found a single NumPy array, want an .npz archive"},
		{"testdata/int64.npz", descriptors.Uint8, "descriptors: element type <i8, want |u1 for uint8 rows"},
		{"testdata/1.ppm.d2-net", descriptors.Bits, "descriptors: element type <f4, want |u1 for bits rows"},
		{archive(t, two), descriptors.Float32, `no array descriptors; found ["keypoints"]`},
		{archive(t, two, rows(npz.Of(four[:3], 1, 3))), descriptors.Float32, "descriptors: shape (1, 3), want (2, D), one row per keypoint"},
		{archive(t, two, rows(npz.Of[float32](nil, 2, 0))), descriptors.Float32, "descriptors: shape (2, 0), want (2, D)"},
		{archive(t, two, rows(npz.Of(four, 4))), descriptors.Float32, "descriptors: shape (4,), want (2, D)"},
		{archive(t, two, rows(npz.Of(four, 2, 1, 2))), descriptors.Float32, "descriptors: shape (2, 1, 2), want (2, D)"},
		{archive(t, two, rows(npz.Of(slices.Repeat(four, 2), 4, 2))), descriptors.Float32, "shape (4, 2), want (2, D), one row per keypoint; it may be transposed: want N×D"},
		{write(t, "feats.h5", []byte("\x89HDF\r\n\x1a\n\x00")), descriptors.Float32, "found an HDF5 file, want .npz or CSV; for HDF5 see docs/own-functions.md"},
		{archive(t, two, good, npz.Of([]bool{true}, 1).Member("valid")), descriptors.Uint8, "valid: shape (1,), want (2,), one element per keypoint"},
		{archive(t, two, good, npz.Of([]uint8{1, 1}, 2).Member("valid")), descriptors.Uint8, "valid: element type |u1"},
		{archive(t, two, good, npz.Of([]int32{8}).Member("dim")), descriptors.Bits, "dim: [8], want one number from 9 to 16, the number of bits used in 2 bytes"},
		{archive(t, two, good, npz.Of([]int32{17}).Member("dim")), descriptors.Bits, "dim: [17], want one number from 9 to 16"},
		{archive(t, two, good, npz.Of([]float32{9.5}).Member("dim")), descriptors.Bits, "dim: [9.5], want"},
		{archive(t, two, good, npz.Of([]float32{float32(math.NaN())}).Member("dim")), descriptors.Bits, "dim: [NaN], want"},
		{archive(t, two, good, npz.Of([]int32{9, 9}, 2).Member("dim")), descriptors.Bits, "dim: [9 9], want"},
		{write(t, "cut.npz", []byte("PK\x03\x04 and so on")), descriptors.Float32, "not an .npz"},
		{write(t, "picture.png", []byte("\x89PNG\r\n\x1a\n\x00\x00")), descriptors.Float32, "unknown format, want .npz or CSV"},
		{t.TempDir(), descriptors.Float32, "is a folder"},
		{filepath.Join(t.TempDir(), "none"), descriptors.Float32, "no such file"},
	} {
		_, err := importer.Read(c.path, 640, 480, options(c.elements))
		if err == nil || !strings.HasPrefix(err.Error(), c.path+": ") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want a line with %q", c.path, err, c.want)
		}
	}
}
