package patches

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/keypoints/openfile/boundtest"
)

func parse(t *testing.T, file string, opt CSV) *descriptors.Matrix {
	t.Helper()
	m, err := parseDescriptors("f.csv", []byte(file), opt)
	if err != nil {
		t.Fatal(err)
	}
	return m
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
		m := parse(t, file, CSV{})
		if m.Rows != 2 || m.Dim != 3 || m.Type != descriptors.Float32 || !slices.Equal(m.Float32, want) {
			t.Errorf("%s: got %d rows of %d %v: %v", name, m.Rows, m.Dim, m.Type, m.Float32)
		}
	}
}

func TestIntegersOfOneByteBecomeUint8(t *testing.T) {
	if m := parse(t, "0,255\n3.0,1e2\n", CSV{}); m.Type != descriptors.Uint8 || !slices.Equal(m.Uint8, []uint8{0, 255, 3, 100}) {
		t.Errorf("got %+v", m)
	}
	for _, file := range []string{"0,256\n", "0,-1\n", "0,0.5\n", "0,nan\n"} {
		if m := parse(t, file, CSV{}); m.Type != descriptors.Float32 {
			t.Errorf("%q: got %v", file, m.Type)
		}
	}
}

func TestRowsThatAreNotFiniteAreMarked(t *testing.T) {
	m := parse(t, "1,2\nnan,2\n1,-Inf\n0,0\n1,1e39\n", CSV{})
	if want := []bool{true, false, false, true, false}; !slices.Equal(m.Valid(), want) {
		t.Errorf("valid %v, want %v", m.Valid(), want)
	}
}

func TestPackedValuesAreBitsWithTheMostSignificantFirst(t *testing.T) {
	m := parse(t, "128,1\n255,6\n", CSV{Packed: true})
	want := []float32{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0}
	if m.Dim != 16 || m.Type != descriptors.Bits || !slices.Equal(values(m), want) {
		t.Errorf("got %v", values(m))
	}
}

// Against strconv, and for chunks cut anywhere.
func TestAFileIsReadTheSameByAnyNumberOfWorkers(t *testing.T) {
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
	for workers := 1; workers <= 5; workers++ {
		m := parse(t, b.String(), CSV{Workers: workers})
		if m.Rows != rows || !slices.Equal(m.Float32, want) {
			t.Fatalf("%d workers: %d rows, or other values", workers, m.Rows)
		}
	}
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
		"1,2,\n":                  `f.csv: line 1: column 3 is "", want a number`,
		"10,22,\n":                `f.csv: line 1: column 3 is "", want a number`,
		"x1,x2\n":                 `f.csv: line 1: column 1 is "x1", want a number`,
		"1,2\n\n3,4\n":            "f.csv: line 2: empty line",
		"\n1,2\n":                 "f.csv: line 1: empty line",
		"1,2\n3;4\n":              "f.csv: line 2: 1 values, want 2 as in line 1",
		"1|2\n":                   `f.csv: line 1: column 1 is "1|2", want a number`,
		"1,2\n3,0x4\n":            `f.csv: line 2: column 2 is "0x4", want a number`,
		"1  2 3 4 5 6\n1\n1\n1":   "f.csv: line 2: 1 values, want 6 as in line 1",
		"1,2,3,4,5,6\n1\n1\n1\n1": "f.csv: line 2: 1 values, want 6 as in line 1",
	} {
		_, err := parseDescriptors("f.csv", []byte(file), CSV{})
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", file, err, want)
		}
	}
	_, err := parseDescriptors("f.csv", []byte("1,2\n3,256\n"), CSV{Packed: true})
	if want := "f.csv: line 2: column 2 is 256, want eight bits as an integer from 0 to 255"; err == nil || err.Error() != want {
		t.Errorf("packed: got %v, want %s", err, want)
	}
}

func TestTheFirstFaultIsReportedWhicheverWorkerFindsOne(t *testing.T) {
	file := strings.Repeat("1.000000000,2.00000000\n", 20000)
	file = strings.Replace(file, "1.0", "x.0", 1) + "broken\n"
	for workers := 1; workers <= 4; workers++ {
		_, err := parseDescriptors("f", []byte(file), CSV{Workers: workers})
		if want := `f: line 1: column 1 is "x.000000000", want a number`; err == nil || err.Error() != want {
			t.Errorf("%d workers: got %v, want %s", workers, err, want)
		}
	}
}

// A wide first line and many short ones would make a huge matrix.
func TestAMalformedFileDoesNotClaimMemory(t *testing.T) {
	file := strings.Repeat("1,", 200_000) + "1" + strings.Repeat("\n1", 200_000)
	_, err := parseDescriptors("f", []byte(file), CSV{})
	if want := "f: line 2: 1 values, want 200001 as in line 1"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func FuzzDescriptors(f *testing.F) {
	for _, s := range []string{"1,2\n3,4\n", "1;2.5\nnan;-1e3\n", " 1  2\n\t3 4", "1,2,\n", "\n", "1,2\n3"} {
		f.Add([]byte(s), false)
	}
	f.Add([]byte("128,1\n0,255\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, packed bool) {
		var m *descriptors.Matrix
		var err error
		boundtest.Memory(t, len(data), 200, func() { m, err = parseDescriptors("f", data, CSV{Packed: packed}) })
		if err != nil {
			return
		}
		if m.Rows < 1 || m.Dim < 1 || m.Rows*m.Dim > 8*len(data)+8 {
			t.Fatalf("%d rows of %d from %d bytes", m.Rows, m.Dim, len(data))
		}
		again, err := parseDescriptors("f", data, CSV{Packed: packed, Workers: 3})
		if err != nil || again.Rows != m.Rows || !slices.Equal(again.Uint8, m.Uint8) {
			t.Fatalf("read again: %v", err)
		}
	})
}
