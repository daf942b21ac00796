package importer_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/files/npz"
)

// twoRows returns an archive of two keypoints with the given arrays.
func twoRows(t *testing.T, rows npz.Array, more ...npz.Member) string {
	t.Helper()
	return archive(t, append([]npz.Member{
		npz.Of([]float32{1, 2, 3, 4}, 2, 2).Member("keypoints"), rows.Member("descriptors"),
	}, more...)...)
}

// bytesOf returns two rows of the given length.
func bytesOf(columns int) npz.Array { return npz.Of(make([]uint8, 2*columns), 2, columns) }

func text(s string) npz.Member { return npz.Text(s, len(s)).Member("element_type") }

func dim(n int32) npz.Member { return npz.Of([]int32{n}).Member("dim") }

func unstated() importer.Options { return importer.Options{Origin: importer.Center} }

func TestAFileStatesTheTypeOfItsRows(t *testing.T) {
	for _, c := range []struct {
		path string
		want descriptors.ElementType
		dim  int
	}{
		{twoRows(t, bytesOf(32), text("bits")), descriptors.Bits, 256},
		{twoRows(t, bytesOf(61), text("bits"), dim(486)), descriptors.Bits, 486},
		{twoRows(t, bytesOf(128), text("bits")), descriptors.Bits, 1024},
		{twoRows(t, bytesOf(32), text("uint8")), descriptors.Uint8, 32},
		{twoRows(t, bytesOf(32), text("float32")), descriptors.Float32, 32},
		{twoRows(t, bytesOf(32), npz.Text("bits", 7).Member("element_type")), descriptors.Bits, 256},
		// The dim of another program, and an array of floats with the same name.
		{twoRows(t, bytesOf(128), dim(128)), descriptors.Float32, 128},
		{twoRows(t, npz.Of(make([]float32, 64), 2, 32), dim(256)), descriptors.Float32, 32},
	} {
		m := mustRead(t, c.path, unstated()).Descriptors
		if m.Type != c.want || m.Dim != c.dim {
			t.Errorf("%v of dimension %d, want %v of %d", m.Type, m.Dim, c.want, c.dim)
		}
		if f := mustRead(t, c.path, options(c.want)); f.Descriptors.Type != c.want {
			t.Errorf("%v, want %v as in the options", f.Descriptors.Type, c.want)
		}
	}
}

// Rows that are longer than any binary descriptor in use, of real numbers, or
// of numbers that are no bytes.
func TestRowsThatCanOnlyBeNumbersAreFloatsIfNothingIsStated(t *testing.T) {
	for name, path := range map[string]string{
		"SIFT as bytes":          twoRows(t, bytesOf(128)),
		"65 bytes":               twoRows(t, bytesOf(65)),
		"floats with whole ones": twoRows(t, npz.Of(make([]float32, 64), 2, 32)),
		"integers":               twoRows(t, npz.Of([]int32{1, 256, 3, 4}, 2, 2)),
		"negative integers":      twoRows(t, npz.Of([]int64{1, -1, 3, 4}, 2, 2)),
		"no rows":                archive(t, npz.Of[float32](nil, 0, 2).Member("keypoints"), npz.Of[uint8](nil, 0, 32).Member("descriptors")),
		"real numbers":           write(t, "1.csv", []byte("x,y,d0,d1\n1,2,0,255\n3,4,0,0.5\n")),
		"with a decimal point":   write(t, "1.csv", []byte("x,y,d0,d1\n1,2,0.0,255.0\n3,4,1.0,5.0\n")),
		"larger":                 write(t, "1.csv", []byte("x,y,d0,d1\n1,2,0,256\n3,4,0,5\n")),
		"no lines":               write(t, "1.csv", []byte("x,y,d0,d1\n")),
		"65 columns":             write(t, "1.csv", []byte("x,y"+elementNames(65)+"\n1,2"+strings.Repeat(",7", 65)+"\n")),
	} {
		if m := mustRead(t, path, unstated()).Descriptors; m.Type != descriptors.Float32 {
			t.Errorf("%s: %v", name, m.Type)
		}
	}
}

func elementNames(n int) string {
	var names string
	for i := range n {
		names += fmt.Sprintf(",d%d", i)
	}
	return names
}

func TestRowsThatMayBeBitsOrNumbersAreRefusedUntilSomebodySays(t *testing.T) {
	for name, c := range map[string]struct{ path, length string }{
		"ORB":             {twoRows(t, bytesOf(32)), "32"},
		"BRISK":           {twoRows(t, bytesOf(64)), "64"},
		"AKAZE":           {twoRows(t, bytesOf(61)), "61"},
		"a strange dim":   {twoRows(t, bytesOf(32), dim(32)), "32"},
		"wider integers":  {twoRows(t, npz.Of([]int64{1, 255, 3, 4}, 2, 2)), "2"},
		"in a CSV":        {write(t, "1.csv", []byte("x,y,d0,d1\n1,2,0,255\n3,4,0,0\n")), "2"},
		"padded in a CSV": {write(t, "1.csv", []byte("x,y,d0,d1\n1,2, 0 ,255\n3,4,0,0\n")), "2"},
	} {
		_, err := importer.Read(c.path, 640, 480, unstated())
		want := "rows of " + c.length + " bytes may be packed bits or numbers; set elements to bits (as of ORB, BRISK or AKAZE), uint8 or float32"
		if !errors.Is(err, importer.ErrUnstated) || !strings.HasPrefix(err.Error(), c.path) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
		if !strings.Contains(name, "integers") && !strings.Contains(name, "dim") {
			if m := mustRead(t, c.path, options(descriptors.Bits)).Descriptors; m.Type != descriptors.Bits {
				t.Errorf("%s: %v", name, m.Type)
			}
		}
		if m := mustRead(t, c.path, options(descriptors.Float32)).Descriptors; m.Type != descriptors.Float32 {
			t.Errorf("%s: %v", name, m.Type)
		}
	}
}

func TestContradictionsAboutElementsAreErrors(t *testing.T) {
	set := func(e importer.Elements) importer.Options {
		return importer.Options{Origin: importer.Center, Elements: e}
	}
	padded := make([]uint8, 2*61)
	padded[2*61-1] = 1 << 6 // bit 486 of 0 to 485
	for _, c := range []struct {
		path string
		o    importer.Options
		want string
	}{
		{twoRows(t, bytesOf(32), text("bits")), set(importer.Uint8), "descriptors: the file states bits, but the config says elements: uint8; correct or remove elements"},
		{twoRows(t, bytesOf(32), text("uint8")), set(importer.Bits), "descriptors: the file states uint8, but the config says elements: bits; "},
		{twoRows(t, bytesOf(32), text("bits")), set(importer.Float32), "descriptors: the file states bits, but the config says elements: float32; "},
		{twoRows(t, bytesOf(32), text("uint16")), set(""), `element_type: "uint16", want uint8, float32 or bits`},
		{twoRows(t, bytesOf(32), npz.Of([]int32{2}).Member("element_type")), set(""), "element_type: element type <i4 and shape (), want a single text"},
		{twoRows(t, npz.Of(make([]float32, 64), 2, 32), text("bits")), set(""), "descriptors: element type <f4, want |u1 for bits rows"},
		{twoRows(t, bytesOf(61), text("bits"), dim(61)), set(""), "dim: [61], want one number from 481 to 488, the number of bits used in 61 bytes"},
		{twoRows(t, npz.Of(padded, 2, 61), dim(486)), set(importer.Bits), "descriptors: row 1: the last byte is 64, want at most 63: only its low 6 bits belong to the 486 bits of a row"},
	} {
		_, err := importer.Read(c.path, 640, 480, c.o)
		if err == nil || !strings.HasPrefix(err.Error(), c.path+": "+c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// As numpy.packbits(..., bitorder="little") packs them, the reverse of its default.
func TestPaddingIsInTheHighBitsOfTheLastByte(t *testing.T) {
	m := mustRead(t, twoRows(t, npz.Of([]uint8{255, 0b11, 0, 0b10}, 2, 2), dim(10)), options(descriptors.Bits)).Descriptors
	if m.Dim != 10 || !slices.Equal(m.Uint8, []uint8{255, 3, 0, 2}) {
		t.Errorf("%+v", m)
	}
}
