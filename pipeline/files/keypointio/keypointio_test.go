package keypointio

import (
	"bytes"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"

	"pgregory.net/rapid"

	"descbench/keypoints"
	"descbench/pipeline/files/npz"
)

func readNPZ(members []npz.Member) (keypoints.Set, []string, error) {
	var b bytes.Buffer
	if err := npz.WriteArchive(&b, members, ""); err != nil {
		return keypoints.Set{}, nil, err
	}
	return readArchive(b.Bytes())
}

func readArchive(file []byte) (keypoints.Set, []string, error) {
	archive, err := npz.NewArchive(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return keypoints.Set{}, nil, err
	}
	set, _, err := ReadArchive(archive)
	return set, archive.Unread(), err
}

// readCSV returns the keypoints of a table and the names of ignored columns.
func readCSV(r io.Reader) (keypoints.Set, []string, error) {
	archive, ignored, err := ReadTable(r, false)
	if err != nil {
		return keypoints.Set{}, nil, err
	}
	set, _, err := ReadArchive(archive)
	return set, ignored, err
}

func TestColumnsMayStandInAnyOrderAndBeAbsent(t *testing.T) {
	for _, c := range []struct {
		name, csv string
		want      []keypoints.Keypoint
		ignored   []string
	}{
		{"x and y alone", "x,y\n1.5,2\n-3,4e2\n", []keypoints.Keypoint{{X: 1.5, Y: 2, Angle: -1, ClassID: -1}, {X: -3, Y: 400, Angle: -1, ClassID: -1}}, nil},
		{"all", "x,y,size,angle,response,octave,class_id\n1,2,3,4,5,6,7\n", []keypoints.Keypoint{{X: 1, Y: 2, Size: 3, Angle: 4, Response: 5, Octave: 6, ClassID: 7}}, nil},
		{"another order, other columns, CRLF, spaces, case, a byte order mark",
			"\ufeffClass_ID, Y ,X,d0,scene\r\n -1, 2 ,1,0.5,v_dogman\r\n", []keypoints.Keypoint{{X: 1, Y: 2, Angle: -1, ClassID: -1}}, []string{"scene"}},
		{"no keypoints", "x,y\n", nil, nil},
	} {
		set, ignored, err := readCSV(strings.NewReader(c.csv))
		if err != nil || !slices.Equal(set.Keypoints, c.want) || !slices.Equal(ignored, c.ignored) {
			t.Errorf("%s: got %+v, ignored %v, error %v; want %+v, %v", c.name, set.Keypoints, ignored, err, c.want, c.ignored)
		}
	}
}

func TestFaultsInTablesAreNamedByLineAndRow(t *testing.T) {
	for csv, want := range map[string]string{
		"":                                   "the file is empty, want a first line with the column names",
		"\ufeff":                             "the file is empty, want a first line with the column names",
		"x\x00":                              "unknown format, want .npz or CSV",
		"x\xff" + strings.Repeat("-", 600):   "unknown format, want .npz or CSV",
		strings.Repeat("x,", MaxRecordBytes): "line 1: more than 2097152 bytes in one record",
		"x;y\n1;2\n":                         "line 1: columns x;y; want columns separated by commas",
		"x,y,score,response\n":               "line 1: two columns are named response",
		"a,y\n1,2\n":                         "line 1: columns a, y; want a first line that names the columns, at least x and y",
		"x,y,x\n":                            "line 1: two columns are named x",
		"x,y\n1,1_0\n":                       `line 2, row 0: y is "1_0", want a number`,
		"x,y\n0x1p3,1\n":                     `line 2, row 0: x is "0x1p3", want a number`,
		"x,y,respons\n1,2,3\n":               `line 1: unknown column "respons" (did you mean response?); rename or remove it`,
		"x,y,Angel\n1,2,3\n":                 `line 1: unknown column "angel" (did you mean angle?)`,
		"x,y\n1,2\n1,b\n":                    `line 3, row 1: y is "b", want a number`,
		"x,y,angle\n1,2,3\n1,2, \n":          "line 3, row 1: angle is empty, want a number in every row, or no column angle",
		"x,y\n,2\n":                          `line 2, row 0: x is "", want a number`,
		"x,y\nNaN,2\n":                       "line 2, row 0: x is NaN, want a finite number",
		"x,y\n1,-Inf\n":                      "line 2, row 0: y is -Inf, want a finite number",
		"x,y\n1,1e39\n":                      "line 2, row 0: y is +Inf, want a finite number",
		"x,y\n1\n":                           "record on line 2: wrong number of fields",
		"x,y,size\n1,2,-1\n":                 "line 2, row 0: size is -1, want a diameter of at least 0 px",
		"x,y,size\n1,2,inf\n":                "line 2, row 0: size is +Inf, want a finite number",
		"x,y,response\n1,2,nan\n":            "line 2, row 0: response is NaN, want a finite number",
		"x,y,angle\n1,2,-90\n":               "line 2, row 0: angle is -90, want 0 to 360 degrees, or -1 for no orientation",
		"x,y,angle\n1,2,360.5\n":             "line 2, row 0: angle is 360.5, want 0 to 360 degrees",
		"x,y,octave\n1,2,1.5\n":              "line 2, row 0: octave is 1.5, want a 32-bit whole number",
		"x,y,octave\n1,2,NaN\n":              "line 2, row 0: octave is NaN, want a 32-bit whole number",
		"x,y,class_id\n1,2,4e9\n":            "line 2, row 0: class_id is 4e+09, want a 32-bit whole number",
		"x,y\n1,2\n\"1\n1\",2\n3,4":          "line 3, row 1: x is \"1\\n1\", want a number",
	} {
		if _, _, err := readCSV(strings.NewReader(csv)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", csv, err, want)
		}
	}
}

func TestTheFirstBytesOfATableMayEndInTheMiddleOfACharacter(t *testing.T) {
	for before := range 4 {
		if _, _, err := readCSV(strings.NewReader("x,y," + strings.Repeat("-", 505+before) + "\U0001f600\n")); err != nil {
			t.Errorf("%d bytes: %v", before, err)
		}
	}
}

// drawSet draws keypoints that files may hold.
func drawSet(t *rapid.T) keypoints.Set {
	real := rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32)
	return keypoints.Set{Keypoints: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) keypoints.Keypoint {
		return keypoints.Keypoint{
			X: real.Draw(t, "x"), Y: real.Draw(t, "y"), Response: real.Draw(t, "response"),
			Size:   rapid.Float32Range(0, math.MaxFloat32).Draw(t, "size"),
			Angle:  rapid.OneOf(rapid.Just(float32(-1)), rapid.Float32Range(0, 360)).Draw(t, "angle"),
			Octave: rapid.Int32().Draw(t, "octave"), ClassID: rapid.Int32().Draw(t, "class"),
		}
	}), 0, 20).Draw(t, "set")}
}

func TestWhatIsWrittenReadsBackBitByBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t)
		var csv, npz bytes.Buffer
		must.Do(t, WriteCSV(&csv, set))
		must.Do(t, WriteNPZ(&npz, set, 640, 480))
		fromCSV, ignored, err := readCSV(&csv)
		if err != nil || len(ignored) > 0 || !slices.Equal(fromCSV.Keypoints, set.Keypoints) {
			t.Fatalf("CSV: got %+v, ignored %v, error %v", fromCSV, ignored, err)
		}
		fromNPZ, ignored, err := readArchive(npz.Bytes())
		if err != nil || len(ignored) > 0 || !slices.Equal(fromNPZ.Keypoints, set.Keypoints) {
			t.Fatalf("NPZ: got %+v, ignored %v, error %v", fromNPZ, ignored, err)
		}
	})
}

func TestTheTableHasTheColumnsInTheirOrder(t *testing.T) {
	var b bytes.Buffer
	k := keypoints.Keypoint{X: 0.1, Y: 16777216, Size: 1e-9, Angle: -1, Response: 0.25, Octave: 255 | 1<<8, ClassID: -1}
	must.Do(t, WriteCSV(&b, keypoints.Set{Keypoints: []keypoints.Keypoint{k}}))
	if want := "x,y,size,angle,response,octave,class_id\n0.1,1.6777216e+07,1e-09,-1,0.25,511,-1\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestAnArchiveOfAnotherProgramIsRead(t *testing.T) {
	set, ignored, err := readArchive(must.Get(os.ReadFile("testdata/other.npz"))(t))
	want := []keypoints.Keypoint{
		{X: 1, Y: 2, Size: 3, Angle: 4, Response: 0.1, Octave: 255 | 1<<8 | 77<<16, ClassID: -1},
		{X: 5, Y: 6, Size: 7, Angle: 8, Response: 1e-3, Octave: -1, ClassID: 1},
	}
	if err != nil || !slices.Equal(set.Keypoints, want) || !slices.Equal(ignored, []string{"imsize"}) {
		t.Errorf("got %+v, ignored %v, error %v; want %+v", set.Keypoints, ignored, err, want)
	}
}

func TestFaultsInArchivesAreNamedByArrayShapeAndRow(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	positions := npz.Of([]float32{1, 2, 3, 4}, 2, 2).Member("keypoints")
	with := func(name string, a npz.Array) []npz.Member { return []npz.Member{positions, a.Member(name)} }
	alone := func(a npz.Array) []npz.Member { return []npz.Member{a.Member("keypoints")} }
	for _, c := range []struct {
		members []npz.Member
		want    string
	}{
		{[]npz.Member{npz.Of([]float32{1, 2, 3, 4}, 2, 2).Member("kpts")}, `no array keypoints; found ["kpts"]`},
		{alone(npz.Of([]float32{1, 2, 3, 4}, 4)), "keypoints: shape (4,), want (N, 2), (N, 3) or (N, 4)"},
		{alone(npz.Of([]float32{1, 2}, 2, 1)), "keypoints: shape (2, 1), want (N, 2)"},
		{alone(npz.Of(make([]float32, 10), 2, 5)), "keypoints: shape (2, 5), want (N, 2)"},
		{alone(npz.Of(make([]float32, 4), 1, 2, 2)), "keypoints: shape (1, 2, 2), want (N, 2)"},
		{alone(npz.Of([]float32{1, 2, 3, nan}, 2, 2)), "keypoints: row 1: y is NaN, want a finite number"},
		{alone(npz.Of([]float32{1, 2, inf, 4}, 2, 2)), "keypoints: row 1: x is +Inf, want a finite number"},
		{alone(npz.Of([]float32{1, 2, -3}, 1, 3)), "keypoints: row 0: size is -3, want a diameter of at least 0 px"},
		{alone(npz.Of([]float32{1, 2, 3, 400}, 1, 4)), "keypoints: row 0: angle is 400, want 0 to 360 degrees"},
		{with("scores", npz.Of([]float32{1, 2, 3}, 3)), "scores: shape (3,), want (2,), one element per keypoint"},
		{with("scores", npz.Of([]float32{1, 2}, 1, 2)), "scores: shape (1, 2), want (2,)"},
		{with("scores", npz.Of([]float32{1}, []int{}...)), "scores: shape (), want (2,)"},
		{with("scores", npz.Of([]float32{1, nan}, 2)), "scores: row 1: response is NaN, want a finite number"},
		{with("octave", npz.Of([]float32{1, 2.5}, 2)), "octave: row 1: octave is 2.5, want a 32-bit whole number"},
		{[]npz.Member{npz.Of(make([]float32, 6), 2, 3).Member("keypoints"), npz.Of([]float32{1, 2}, 2).Member("size")},
			"size is given twice: as an array and as a column of keypoints"},
	} {
		if _, _, err := readNPZ(c.members); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	if set, _, err := readNPZ(alone(npz.Of[float32](nil, 0, 2))); err != nil || set.Len() != 0 {
		t.Errorf("no keypoints: %v, %v", set, err)
	}
}

func FuzzTablesNeverPanic(f *testing.F) {
	f.Add("x,y,size\n1,2,3\n")
	f.Add("x,\"y\n\",y\n1,,2")
	f.Fuzz(func(t *testing.T, table string) {
		must.BoundMemory(t, len(table), 200, func() {
			set, _, err := readCSV(strings.NewReader(table))
			if err == nil {
				checkFinite(t, set)
			}
		})
	})
}

func FuzzArchivesNeverPanic(f *testing.F) {
	f.Add(npz.Of([]float32{1, 2, 3, 4}, 2, 2).Member("").Content, npz.Of([]int32{1, 2}, 2).Member("").Content)
	f.Add(npz.Of([]uint8{1, 2, 3, 4}, 1, 4).Member("").Content, []byte(nil))
	f.Fuzz(func(t *testing.T, positions, octaves []byte) {
		must.BoundMemory(t, len(positions)+len(octaves), 200, func() {
			set, _, err := readNPZ([]npz.Member{{Name: "keypoints.npy", Content: positions}, {Name: "octave.npy", Content: octaves}})
			if err == nil {
				checkFinite(t, set)
			}
		})
	})
}

func checkFinite(t *testing.T, set keypoints.Set) {
	t.Helper()
	for row, k := range set.Keypoints {
		if !k.Finite() {
			t.Errorf("row %d is %+v", row, k)
		}
	}
}

// The values of IEEE 754: 1.5 and -2.
func TestHalfFloatsAreReadAndTold(t *testing.T) {
	head := "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }\n"
	file := "\x93NUMPY\x01\x00" + string(rune(len(head))) + "\x00" + head + "\x00\x3e\x00\xc0"
	archive := must.Get(npz.FromArrays(npz.Member{Name: "keypoints.npy", Content: []byte(file)}))(t)
	set, about, err := ReadArchive(archive)
	if err != nil || !about.Half || set.Len() != 1 || set.Keypoints[0].X != 1.5 || set.Keypoints[0].Y != -2 {
		t.Errorf("got %+v, %+v, %v", set, about, err)
	}
}
