package store

import (
	"iter"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"descbench/descriptors"
	"descbench/eval"
	"descbench/keypoints"

	"pgregory.net/rapid"
)

// Generators of what units hold, with every bit pattern of a float.

var anyFloat32 = rapid.Map(rapid.Uint32(), math.Float32frombits)

var anyFloat64 = rapid.Custom(func(t *rapid.T) float64 {
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat64, 5e-324}
	if i := rapid.IntRange(0, 2*len(special)).Draw(t, "special"); i < len(special) {
		return special[i]
	}
	return rapid.Float64().Draw(t, "float")
})

var anySet = rapid.Custom(func(t *rapid.T) keypoints.Set {
	n := rapid.IntRange(0, 5).Draw(t, "keypoints")
	s := keypoints.Set{Keypoints: make([]keypoints.Keypoint, n)}
	for i := range s.Keypoints {
		f := func() float32 { return anyFloat32.Draw(t, "float") }
		s.Keypoints[i] = keypoints.Keypoint{
			X: f(), Y: f(), Size: f(), Angle: f(), Response: f(),
			Octave: rapid.Int32().Draw(t, "octave"), ClassID: rapid.Int32().Draw(t, "class"),
		}
	}
	if rapid.Bool().Draw(t, "projected") {
		s.Source = make([]int32, n)
		for i := range s.Source {
			s.Source[i] = rapid.Int32().Draw(t, "source")
		}
	}
	return s
})

var anyMatrix = rapid.Custom(func(t *rapid.T) *descriptors.Matrix {
	m := &descriptors.Matrix{
		Rows: rapid.IntRange(0, 5).Draw(t, "rows"),
		Dim:  rapid.IntRange(1, 20).Draw(t, "dim"),
		Type: rapid.SampledFrom([]descriptors.ElementType{descriptors.Uint8, descriptors.Float32, descriptors.Bits}).Draw(t, "type"),
	}
	n := m.Rows * m.Stride()
	if m.Type == descriptors.Float32 {
		m.Float32 = rapid.SliceOfN(anyFloat32, n, n).Draw(t, "elements")
	} else {
		m.Uint8 = rapid.SliceOfN(rapid.Uint8(), n, n).Draw(t, "elements")
	}
	m.UnitNorm = m.Type == descriptors.Uint8 && rapid.Bool().Draw(t, "unit norm")
	if rapid.Bool().Draw(t, "marks") {
		for i, invalid := range rapid.SliceOfN(rapid.Bool(), m.Rows, m.Rows).Draw(t, "invalid") {
			if invalid {
				m.Mark(i)
			}
		}
	}
	return m
})

var (
	anyQuery = rapid.Custom(func(t *rapid.T) eval.Query {
		q := anyRecord[eval.Query](t)
		if q.Truth == -1 {
			q.Less, q.Equal = 0, 0 // as in all consistent records
		}
		return q
	})
	anyPair = rapid.Custom(anyRecord[eval.Pair])
)

// anyRecord draws every field, whichever they are.
func anyRecord[T Record](t *rapid.T) (r T) {
	for field, v := range fields(&r) {
		switch v.Kind() {
		case reflect.String:
			v.SetString(anyName.Draw(t, field))
		case reflect.Int32:
			v.SetInt(int64(rapid.Int32().Draw(t, field)))
		case reflect.Float32:
			v.SetFloat(float64(anyFloat32.Draw(t, field)))
		case reflect.Float64:
			v.SetFloat(anyFloat64.Draw(t, field))
		case reflect.Bool:
			v.SetBool(rapid.Bool().Draw(t, field))
		default:
			t.Fatalf("field %s: no way to draw a %v", field, v.Type())
		}
	}
	return r
}

func fields[T Record](r *T) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		v := reflect.ValueOf(r).Elem()
		for i := range v.NumField() {
			if !yield(v.Type().Field(i).Name, v.Field(i)) {
				return
			}
		}
	}
}

var anyName = rapid.SampledFrom([]string{"", "sift", "rootsift/8k", "v_dogman", "i_ajuntament", "größer"})

// equalSets compares bit by bit.
func equalSets(a, b keypoints.Set) bool {
	if a.Len() != b.Len() || (a.Source == nil) != (b.Source == nil) || len(a.Source) != len(b.Source) {
		return false
	}
	for i, k := range a.Keypoints {
		l := b.Keypoints[i]
		for _, c := range keypoints.Columns() {
			if c.Real != nil && math.Float32bits(*c.Real(&k)) != math.Float32bits(*c.Real(&l)) {
				return false
			}
		}
		if k.Octave != l.Octave || k.ClassID != l.ClassID {
			return false
		}
	}
	for i := range a.Source {
		if a.Source[i] != b.Source[i] {
			return false
		}
	}
	return true
}

func equalMatrices(a, b *descriptors.Matrix) bool {
	if a.Rows != b.Rows || a.Dim != b.Dim || a.Type != b.Type || a.UnitNorm != b.UnitNorm ||
		len(a.Uint8) != len(b.Uint8) || len(a.Float32) != len(b.Float32) {
		return false
	}
	for i := range a.Uint8 {
		if a.Uint8[i] != b.Uint8[i] {
			return false
		}
	}
	for i := range a.Float32 {
		if math.Float32bits(a.Float32[i]) != math.Float32bits(b.Float32[i]) {
			return false
		}
	}
	for i := range a.Rows {
		if a.IsInvalid(i) != b.IsInvalid(i) {
			return false
		}
	}
	return true
}

// equalRecords takes any two NaN for the same.
func equalRecords[T Record](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		p, q := a[i], b[i]
		if p == q {
			continue
		}
		other := reflect.ValueOf(&q).Elem()
		for field, v := range fields(&p) {
			w := other.FieldByName(field)
			if v.CanFloat() {
				if x, y := v.Float(), w.Float(); x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
					return false
				}
			} else if !v.Equal(w) {
				return false
			}
		}
	}
	return true
}

// manyQueries returns n queries like those of one scene.
func manyQueries(n int) []eval.Query {
	out := make([]eval.Query, n)
	nan := float32(math.NaN())
	x := uint32(1)
	next := func(below int) int {
		x = x*1664525 + 1013904223
		return int(uint64(x) * uint64(below) >> 32)
	}
	for i := range out {
		q := eval.Query{
			Descriptor: "sift", Scene: "v_dogman", K: int32(2 + 5*i/n), Row: int32(i % (n/5 + 1)),
			X: float32(next(1<<20)) / 1024, Y: float32(next(1<<20)) / 1024,
			ProjectedX: math.Sqrt(float64(next(1 << 20))), ProjectedY: math.Sqrt(float64(next(1 << 20))),
			Truth: -1, TruthX: nan, TruthY: nan, TruthError: math.Inf(1),
			NearestX: float32(next(1<<20)) / 1024, NearestY: float32(next(1<<20)) / 1024,
			Nearest: int32(next(8000)), NearestDistance: math.Sqrt(float64(next(100000))),
			Second: int32(next(8000)), SecondDistance: math.Sqrt(float64(next(100000))),
			NearestError: math.Sqrt(float64(next(1 << 20))),
			Mutual:       next(5) < 2, Shared: next(5) < 4, Candidates: 8000,
			GalleryLess: -1, GalleryEqual: -1,
		}
		if next(5) < 3 {
			q.Truth, q.TruthError = int32(next(8000)), math.Sqrt(float64(next(100)))
			q.TruthX, q.TruthY = float32(next(1<<20))/1024, float32(next(1<<20))/1024
			q.Less = int32(next(next(next(8000)+1) + 1))
		}
		out[i] = q
	}
	return out
}

// unitAt returns a unit file with an identity of its own.
func unitAt(path string) UnitFile { return UnitFile{path, Key("unit")} }

// summed writes the checksum of a result file, so that it can be read.
func summed(t testing.TB, path string) {
	t.Helper()
	if err := WriteSums(filepath.Dir(path), nil, filepath.Base(path)); err != nil {
		t.Fatal(err)
	}
}

// rapidFile returns the name of a file that rapid's draws write again and again.
func rapidFile(t *testing.T) string { return filepath.Join(t.TempDir(), "file") }
