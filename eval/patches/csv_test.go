package patches

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"descbench/descriptors"
	"descbench/eval/must"
)

func parse(t *testing.T, file string) *descriptors.Matrix {
	t.Helper()
	return must.Get(readDescriptors("f.csv", strings.NewReader(file)))(t)
}

func values(m *descriptors.Matrix) []float32 {
	var all []float32
	for i := range m.Rows {
		all = AppendRow(all, m, i)
	}
	return all
}

func TestEveryDelimiterInTheWildIsRecognised(t *testing.T) {
	want := []float32{0.5, -1, 20, 3, 0.25, 7}
	for name, file := range map[string]string{
		"commas":             "0.5,-1,20\n3,0.25,7\n",
		"no line end":        "0.5,-1,20\n3,0.25,7",
		"byte order mark":    "\ufeff0.5,-1,20\n3,0.25,7\n",
		"CRLF":               "0.5,-1,20\r\n3,0.25,7\r\n",
		"semicolons":         "0.5;-1;2e1\n3;.25;7\n",
		"tabs":               "0.5\t-1\t20\n3\t0.25\t7\n",
		"blanks":             "0.5 -1 20\n 3   0.25 7 \n",
		"padded":             "   0.50000,  -1.00000,  20.00000\n   3.00000,   0.25000,   7.00000\n",
		"blanks at the ends": " 0.5 , -1 , 20 \n 3 ,0.25, 7\n",
		"savetxt":            "5.000000000000000000e-01 -1.000000000000000000e+00 2.000000000000000000e+01\n3.000000000000000000e+00 2.500000000000000000e-01 7.000000000000000000e+00\n",
		"signs":              "+0.5,-1,+20\n3,+.25,7.\n",
		"empty lines after":  "0.5,-1,20\n3,0.25,7\n\n \n",
	} {
		m := parse(t, file)
		if m.Rows != 2 || m.Dim != 3 || m.Type != descriptors.Float32 || !slices.Equal(m.Float32, want) {
			t.Errorf("%s: got %d rows of %d %v: %v", name, m.Rows, m.Dim, m.Type, m.Float32)
		}
	}
}

func TestIntegersOfOneByteBecomeUint8(t *testing.T) {
	if m := parse(t, "0,255\n3.0,1e2\n"); m.Type != descriptors.Uint8 || !slices.Equal(m.Uint8, []uint8{0, 255, 3, 100}) {
		t.Errorf("got %+v", m)
	}
	for _, file := range []string{"0,256\n", "0,-1\n", "0,0.5\n", "0,nan\n7,0.5\n"} {
		if m := parse(t, file); m.Type != descriptors.Float32 {
			t.Errorf("%q: got %v", file, m.Type)
		}
	}
}

func TestRowsThatAreNotFiniteAreMarked(t *testing.T) {
	m := parse(t, "1,2\nnan,2\n1,-Inf\n0,0\n1,1e39\n")
	if want := []bool{true, false, false, true, false}; !slices.Equal(m.Valid(), want) {
		t.Errorf("valid %v, want %v", m.Valid(), want)
	}
}

func TestNumbersOfAnyFormAreReadAsByStrconv(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	var want []float32
	const rows, dim = 3000, 17
	for range rows {
		for k := range dim {
			v := rng.NormFloat64() * math.Pow(10, float64(rng.IntN(9)-4))
			s := strconv.FormatFloat(v, "efg"[rng.IntN(3)], rng.IntN(18), 64)
			v, _ = strconv.ParseFloat(s, 64)
			want = append(want, float32(v))
			fmt.Fprintf(&b, "%*s", rng.IntN(3), "")
			b.WriteString(s)
			if k < dim-1 {
				b.WriteByte(',')
			}
		}
		b.WriteByte('\n')
	}
	if m := parse(t, b.String()); m.Rows != rows || !slices.Equal(m.Float32, want) {
		t.Fatalf("%d rows, or other values", m.Rows)
	}
}

func TestLinesOfSmallIntegersAreReadLikeAnyOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 70).Draw(t, "columns")
		separator := rapid.SampledFrom([]byte(",; \t")).Draw(t, "separator")
		end := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "line end")
		most := rapid.SampledFrom([]int{3, 3, 4}).Draw(t, "digits")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		want := make([]uint8, dim*rapid.IntRange(1, 30).Draw(t, "lines"))
		var file []byte
		for i := range want {
			want[i] = uint8(rng.IntN(256))
			file = fmt.Appendf(file, "%0*d", rng.IntN(most+1), want[i])
			if (i+1)%dim > 0 {
				file = append(file, separator)
			} else {
				file = append(file, end...)
			}
		}
		m, err := readDescriptors("f", bytes.NewReader(file))
		if err != nil || m.Dim != dim || !slices.Equal(m.Uint8, want) {
			t.Fatalf("error %v, or other values", err)
		}
	})
}

func TestAFaultyDescriptorFileIsRefusedWithItsLine(t *testing.T) {
	for file, want := range map[string]string{
		"":                        "f.csv: no descriptors",
		" \n\n":                   "f.csv: no descriptors",
		"1,2\n3\n":                "f.csv: line 2: 1 values, want 2 as in line 1",
		"1,2\n3,4,5\n":            "f.csv: line 2: 3 values, want 2 as in line 1",
		"1 2\n3 4 5\n":            "f.csv: line 2: 3 values, want 2 as in line 1",
		"1,2\n3,x\n":              `f.csv: line 2: column 2 is "x", want a number`,
		"1,2\n3,4x\n":             `f.csv: line 2: column 2 is "4x", want a number`,
		"1,2\n3, \n":              `f.csv: line 2: column 2 is "", want a number`,
		"1,2\n3 4,5\n":            `f.csv: line 2: column 1 is "3 4", want a number`,
		"1,2,\n":                  `f.csv: line 1: column 3 is "", want a number; is there a separator at the end of the line?`,
		"10,22,\n":                `f.csv: line 1: column 3 is "", want a number; is there a separator at the end of the line?`,
		"0,25;1\n":                `f.csv: line 1: values have decimal commas, want decimal points`,
		"x1,x2\n":                 `f.csv: line 1: column 1 is "x1", want a number`,
		"1,2\n\n3,4\n":            "f.csv: line 2: empty line",
		"\n1,2\n":                 "f.csv: line 1: empty line",
		"1,2\n3;4\n":              "f.csv: line 2: 1 values, want 2 as in line 1",
		"1|2\n":                   `f.csv: line 1: column 1 is "1|2", want a number`,
		"1,2\n3,0x4\n":            `f.csv: line 2: column 2 is "0x4", want a number`,
		"1  2 3 4 5 6\n1\n1\n1":   "f.csv: line 2: 1 values, want 6 as in line 1",
		"1,2,3,4,5,6\n1\n1\n1\n1": "f.csv: line 2: 1 values, want 6 as in line 1",
	} {
		_, err := readDescriptors("f.csv", strings.NewReader(file))
		must.Fail(t, err, want)
	}
}

// A wide first line and many short ones would make a huge matrix.
func TestAMalformedFileDoesNotClaimMemory(t *testing.T) {
	file := strings.Repeat("1,", 200_000) + "1" + strings.Repeat("\n1", 200_000)
	_, err := readDescriptors("f", strings.NewReader(file))
	must.Fail(t, err, "f: line 2: 1 values, want 200001 as in line 1")
}

func FuzzDescriptors(f *testing.F) {
	for _, s := range []string{"1,2\n3,4\n", "1;2.5\nnan;-1e3\n", " 1  2\n\t3 4", "1,2,\n", "\n", "1,2\n3"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var m *descriptors.Matrix
		var err error
		must.BoundMemory(t, len(data), 200, func() { m, err = readDescriptors("f", bytes.NewReader(data)) })
		if err != nil {
			return
		}
		if m.Rows < 1 || m.Dim < 1 || m.Rows*m.Dim > 8*len(data)+8 {
			t.Fatalf("%d rows of %d from %d bytes", m.Rows, m.Dim, len(data))
		}
	})
}

func TestRowsAreReadBackAsTheyWereWritten(t *testing.T) {
	third := float32(1) / 3
	nan := float32(math.NaN())
	invalid := &descriptors.Matrix{Rows: 2, Dim: 2, Type: descriptors.Float32, Float32: []float32{nan, 1, 0.5, 2}}
	invalid.Mark(0)
	for name, c := range map[string]struct {
		m    *descriptors.Matrix
		want []float32
	}{
		"numbers":    {&descriptors.Matrix{Rows: 2, Dim: 3, Type: descriptors.Float32, Float32: []float32{third, -1e-20, 300, 5, 0, 1}}, []float32{third, -1e-20, 300, 5, 0, 1}},
		"integers":   {&descriptors.Matrix{Rows: 2, Dim: 2, Type: descriptors.Float32, Float32: []float32{1, 255, 0, 3}}, []float32{1, 255, 0, 3}},
		"bytes":      {&descriptors.Matrix{Rows: 1, Dim: 3, Type: descriptors.Uint8, Uint8: []uint8{0, 255, 7}}, []float32{0, 255, 7}},
		"normalised": {&descriptors.Matrix{Rows: 1, Dim: 2, Type: descriptors.Uint8, Uint8: []uint8{3, 4}, UnitNorm: true}, []float32{0.6, 0.8}},
		"invalid":    {invalid, []float32{nan, nan, 0.5, 2}},
	} {
		var file bytes.Buffer
		must.Do(t, WriteCSV(&file, c.m))
		m := parse(t, file.String())
		if got := values(m); !slices.EqualFunc(got, c.want, func(a, b float32) bool { return a == b || a != a && b != b }) || m.CountInvalid() != c.m.CountInvalid() {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// OpenCV's AKAZE fills bytes from the lowest bit, so 486 bits leave the two
// highest of the last byte empty.
func TestEveryBitOfARowIsWritten(t *testing.T) {
	const dim, stride = 486, 61
	m := descriptors.New(dim, dim, descriptors.Bits)
	for i := range dim {
		m.Uint8[i*stride+i/8] = 1 << (i % 8)
	}
	var file bytes.Buffer
	must.Do(t, WriteCSV(&file, m))
	written := parse(t, file.String())
	seen := make(map[int]bool)
	for i := range dim {
		row := written.Uint8[i*dim : (i+1)*dim]
		at := slices.Index(row, 1)
		if at < 0 || slices.Contains(row[at+1:], 1) || seen[at] {
			t.Fatalf("bit %d: column %d", i, at)
		}
		seen[at] = true
	}
}

func TestPaddingOfBitsReadFromColumnsIsZero(t *testing.T) {
	nan := strings.Repeat(",NaN", 11)[1:] // an invalid row does not make bits numbers
	s, err := NewSet("b", map[string]map[string]*descriptors.Matrix{"v": {"1": parse(t, "1,1,1,1,1,1,1,1,1,0,1\n"+nan+"\n")}})
	must.Do(t, err)
	m := s.Image("v", "1")
	if row := m.Uint8; m.Type != descriptors.Bits || len(row) != 4 || row[1]>>3 != 0 || bits.OnesCount8(row[1]) != 2 || !slices.Equal(m.Valid(), []bool{true, false}) {
		t.Errorf("%s %b, valid %v", m.Type, row, m.Valid())
	}
}
