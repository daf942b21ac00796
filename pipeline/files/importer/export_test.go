package importer_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/files/importer"
)

func export(t must.T, set keypoints.Set, m *descriptors.Matrix) []byte {
	var b bytes.Buffer
	must.Do(t, importer.Export(&b, set, 640, 480, m))
	return b.Bytes()
}

// readBytes reads a file of that content.
func readBytes(t *rapid.T, content []byte, o importer.Options) *importer.Features {
	dir := must.Get(os.MkdirTemp("", "importer"))(t)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "1.npz")
	must.Do(t, os.WriteFile(path, content, 0o600))
	f := must.Get(importer.Read(path, 640, 480, o))(t)
	return f
}

// drawMatrix draws a matrix of n rows. Rows that Read would mark are marked, and
// zero.
func drawMatrix(t *rapid.T, n int) *descriptors.Matrix {
	m := &descriptors.Matrix{Rows: n, Dim: rapid.IntRange(1, 40).Draw(t, "dim"), Type: descriptors.ElementType(rapid.IntRange(0, 2).Draw(t, "type"))}
	elements := n * m.Stride()
	if m.Type == descriptors.Float32 {
		m.Float32 = rapid.SliceOfN(rapid.Float32(), elements, elements).Draw(t, "float32")
	} else {
		m.Uint8 = rapid.SliceOfN(rapid.Uint8(), elements, elements).Draw(t, "uint8")
	}
	if m.Type == descriptors.Bits && m.Dim%8 != 0 {
		for i := range n {
			m.Uint8[(i+1)*m.Stride()-1] &= 1<<(m.Dim%8) - 1
		}
	}
	if rapid.Bool().Draw(t, "some invalid") {
		for i, invalid := range rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "invalid") {
			if invalid {
				m.Mark(i)
			}
		}
	}
	m.MarkEmpty()
	return m
}

func TestWhatIsExportedIsReadBackBitByBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var set keypoints.Set
		for range rapid.IntRange(0, 6).Draw(t, "n") {
			set.Keypoints = append(set.Keypoints, keypoints.Keypoint{
				X: rapid.Float32Range(-0.5, 639.5).Draw(t, "x"), Y: rapid.Float32Range(-0.5, 479.5).Draw(t, "y"),
				Size: rapid.Float32Range(0, 1e6).Draw(t, "size"), Angle: rapid.Float32Range(0, 360).Draw(t, "angle"),
				Response: rapid.Float32Range(-1e9, 1e9).Draw(t, "response"), Octave: rapid.Int32().Draw(t, "octave"), ClassID: rapid.Int32().Draw(t, "class"),
			})
		}
		m := drawMatrix(t, set.Len())
		content := export(t, set, m)
		if again := export(t, set, m); !bytes.Equal(content, again) {
			t.Fatal("equal features gave other bytes")
		}
		o := options(m.Type)
		if rapid.Bool().Draw(t, "unstated") {
			o.Elements = ""
		}
		f := readBytes(t, content, o)
		if f.Keypoints.Len() != set.Len() || set.Len() > 0 && !reflect.DeepEqual(f.Keypoints, set) {
			t.Fatalf("keypoints %+v, want %+v", f.Keypoints, set)
		}
		got := f.Descriptors
		if got.Rows != m.Rows || got.Dim != m.Dim || got.Type != m.Type || !bytes.Equal(got.Uint8, m.Uint8) || len(got.Float32) != len(m.Float32) ||
			len(m.Float32) > 0 && !reflect.DeepEqual(got.Float32, m.Float32) || !slices.Equal(got.Valid(), m.Valid()) {
			t.Fatalf("descriptors %+v, want %+v", got, m)
		}
	})
}

var exported = struct {
	set keypoints.Set
	m   *descriptors.Matrix
}{
	keypoints.Set{Keypoints: []keypoints.Keypoint{{X: 1.5, Y: 2, Size: 3, Angle: -1, Response: 0.25, Octave: 255, ClassID: -1}, {X: 4, Y: 5, Size: 6, Angle: 90, ClassID: 1}}},
	firstMarked(&descriptors.Matrix{Rows: 2, Dim: 13, Type: descriptors.Bits, Uint8: []uint8{1, 2, 255, 0}}),
}

func firstMarked(m *descriptors.Matrix) *descriptors.Matrix {
	m.Mark(0)
	return m
}

func TestNumPyOpensWhatIsExported(t *testing.T) {
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil {
		t.Skipf("no Python: %v", err)
	}
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Skipf("no NumPy: %v", err)
	}
	path := write(t, "1.npz", export(t, exported.set, exported.m))
	out, err := exec.Command(python, "-c", `import numpy, sys
for name, a in numpy.load(sys.argv[1]).items():
    print(name, a.dtype, a.shape, a.tolist())`, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := `keypoints float32 (2, 2) [[1.5, 2.0], [4.0, 5.0]]
size float32 (2,) [3.0, 6.0]
angle float32 (2,) [-1.0, 90.0]
scores float32 (2,) [0.25, 0.0]
octave int32 (2,) [255, 0]
class_id int32 (2,) [-1, 1]
image_size int32 (2,) [640, 480]
descriptors uint8 (2, 2) [[1, 2], [255, 0]]
valid bool (2,) [False, True]
element_type <U4 () bits
dim int32 () 13
`
	if string(out) != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}

func TestExportRefusesWhatDoesNotFitTogether(t *testing.T) {
	m := *exported.m
	m.Uint8 = slices.Clone(m.Uint8)
	for want, change := range map[string]func(*descriptors.Matrix){
		"2 keypoints and 3 descriptors, want equal numbers":                                               func(m *descriptors.Matrix) { m.Rows = 3 },
		"descriptors: want 2×3 elements of type bits, found 4":                                            func(m *descriptors.Matrix) { m.Dim = 17 },
		"descriptors: want 2×13 elements of type float32, found 0":                                        func(m *descriptors.Matrix) { m.Type = descriptors.Float32 },
		"descriptors: want a shape of at least 0×1, found 2×0":                                            func(m *descriptors.Matrix) { m.Dim = 0 },
		"row 1: the last byte is 32, want at most 31: only its low 5 bits belong to the 13 bits of a row": func(m *descriptors.Matrix) { m.Uint8[3] = 32 },
	} {
		wrong := m
		change(&wrong)
		if err := importer.Export(new(bytes.Buffer), exported.set, 640, 480, &wrong); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
