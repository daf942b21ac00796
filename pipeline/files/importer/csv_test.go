package importer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/pipeline/files/importer"
)

func TestTablesAreReadByTheNamesOfTheirColumns(t *testing.T) {
	for name, table := range map[string]string{
		"plain":                          "x,y,size,angle,score,d0,d1\n1,2,3,4,5,0.5,-1e-3\n6,7,8,-1,9,1,0\n",
		"another order, response, CRLF":  "d1,response,y,angle,x,d0,size\r\n-1e-3,5,2,4,1,0.5,3\r\n0,9,7,-1,6,1,8\r\n",
		"spaces, case, byte order mark":  "\ufeffX, Y ,Size,ANGLE,Score, D0,d1\n1, 2,3,4,5, 0.5 ,-1e-3\n6,7,8,-1,9,1,0",
		"byte order mark before d0":      "\ufeffd0,x,y,size,angle,score,d1\n0.5,1,2,3,4,5,-1e-3\n1,6,7,8,-1,9,0\n",
		"empty lines, quotes":            "x,y,size,angle,score,d0,d1\n\n1,2,3,\"4\",5,\"0.5\",-1e-3\n\n\n6,7,8,-1,9,1,0\n",
		"other columns, also d's others": "x,y,size,angle,score,d0,d1,d,d-1,d01,dx\n1,2,3,4,5,0.5,-1e-3,a,b,c,d\n6,7,8,-1,9,1,0,,,,\n",
	} {
		f := mustRead(t, write(t, "1.csv", []byte(table)), options(descriptors.Float32))
		want := []keypoints.Keypoint{{X: 1, Y: 2, Size: 3, Angle: 4, Response: 5, ClassID: -1}, {X: 6, Y: 7, Size: 8, Angle: -1, Response: 9, ClassID: -1}}
		if !slices.Equal(f.Keypoints.Keypoints, want) {
			t.Errorf("%s: keypoints %+v", name, f.Keypoints.Keypoints)
		}
		if m := f.Descriptors; m.Rows != 2 || m.Dim != 2 || !slices.Equal(m.Float32, []float32{0.5, -1e-3, 1, 0}) || m.CountInvalid() != 0 {
			t.Errorf("%s: descriptors %+v", name, m)
		}
		var ignored []string
		if strings.HasPrefix(name, "other columns") {
			ignored = []string{"d", "d-1", "d01", "dx"}
		}
		if !slices.Equal(f.Ignored, ignored) {
			t.Errorf("%s: ignored %q, want %q", name, f.Ignored, ignored)
		}
	}
}

func TestElementsOfTablesAreOfTheTypeDeclared(t *testing.T) {
	path := write(t, "1.csv", []byte("x,y,d0,d1\n1,2,0,255\n3,4,0,0\n"))
	for elements, want := range map[descriptors.ElementType]int{descriptors.Uint8: 2, descriptors.Bits: 16, descriptors.Float32: 2} {
		m := mustRead(t, path, options(elements)).Descriptors
		if m.Type != elements || m.Dim != want || m.IsInvalid(1) != (elements != descriptors.Bits) {
			t.Errorf("%v: %+v", elements, m)
		}
		if elements != descriptors.Float32 && !slices.Equal(m.Uint8, []uint8{0, 255, 0, 0}) {
			t.Errorf("%v: %v", elements, m.Uint8)
		}
	}
}

func TestElementsThatAreNotFiniteMakeARowInvalid(t *testing.T) {
	f := mustRead(t, write(t, "1.csv", []byte("x,y,d0,d1\n1,2,NaN,1\n1,2,1,-inf\n1,2,1e39,1\n1,2,1,1\n1,2,0,0\n")), options(descriptors.Float32))
	if !slices.Equal(f.Descriptors.Valid(), []bool{false, false, false, true, false}) || f.NotFinite != 3 {
		t.Errorf("valid %v, %d not finite", f.Descriptors.Valid(), f.NotFinite)
	}
	if slices.ContainsFunc(f.Descriptors.Float32, func(v float32) bool { return math.IsNaN(float64(v)) }) {
		t.Errorf("NaN in %v", f.Descriptors.Float32)
	}
}

// Faults of the columns of keypoints are in package keypointio.
func TestFaultsOfElementsAreNamedByLineAndRow(t *testing.T) {
	for _, c := range []struct {
		table    string
		elements descriptors.ElementType
		want     string
	}{
		{"x,y\n1,2\n", descriptors.Float32, "found no columns d0, d1 and so on, want those of the descriptors"},
		{"x,y,d0,d2\n", descriptors.Float32, "line 1: 2 descriptor columns, but no d1, want d0 to d1"},
		{"x,y,d0,d1,d0\n", descriptors.Float32, "line 1: two columns are named d0"},
		{"x,y,d0\n1,2,3\n\n1,2,a\n", descriptors.Float32, `line 4, row 1: d0 is "a", want a number`},
		{"x,y,d0\n1,2,\n", descriptors.Float32, `line 2, row 0: d0 is "", want a number`},
		{"x,y,d0\n1,2,256\n", descriptors.Uint8, `line 2, row 0: d0 is "256", want a whole number from 0 to 255`},
		{"x,y,d0\n1,2,-1\n", descriptors.Bits, `line 2, row 0: d0 is "-1", want a whole number from 0 to 255`},
		{"x,y,d0\n1,2,0.5\n", descriptors.Uint8, `d0 is "0.5", want a whole number`},
		{"x,y,d0\n1,2,nan\n", descriptors.Uint8, `d0 is "nan", want a whole number`},
	} {
		path := write(t, "1.csv", []byte(c.table))
		_, err := importer.Read(path, 640, 480, options(c.elements))
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %q", c.table, err, c.want)
		}
	}
}
