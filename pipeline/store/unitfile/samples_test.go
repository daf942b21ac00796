package unitfile

import (
	"math"
	"reflect"
	"slices"

	"descbench/descriptors"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/store/records"

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
	if m.Type == descriptors.Bits && m.Dim%8 != 0 { // the rest of a byte is 0
		for i := range m.Rows {
			m.Uint8[(i+1)*m.Stride()-1] &= 1<<(m.Dim%8) - 1
		}
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
	anyQuery = rapid.Custom(func(t *rapid.T) record.Query {
		q := anyRecord[record.Query](t)
		if q.Truth == -1 {
			q.Less, q.Equal = 0, 0 // as in all consistent records
		}
		return q
	})
	anyPair = rapid.Custom(func(t *rapid.T) record.Pair {
		p := anyRecord[record.Pair](t)
		if p.KeynetKeypoints == 0 { // as in all consistent records
			p.KeynetRepeated, p.KeynetOverlapErrorSum, p.KeynetPossible = 0, 0, 0
			p.KeynetRepeatedSingleScale, p.KeynetOverlapErrorSumSingleScale = 0, 0
		}
		return p
	})
)

// anyRecord draws every field, whichever they are.
func anyRecord[T records.Record](t *rapid.T) (r T) {
	for f, v := range reflect.ValueOf(&r).Elem().Fields() {
		field := f.Name
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

var anyName = rapid.SampledFrom([]string{"", "sift", "rootsift/8k", "v_dogman", "i_ajuntament", "größer"})

func sameBits(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }

// equalSets compares bit by bit.
func equalSets(a, b keypoints.Set) bool {
	same := func(k, l keypoints.Keypoint) bool {
		for _, c := range keypoints.Columns() {
			if c.Real != nil && !sameBits(*c.Real(&k), *c.Real(&l)) {
				return false
			}
		}
		return k.Octave == l.Octave && k.ClassID == l.ClassID
	}
	return slices.EqualFunc(a.Keypoints, b.Keypoints, same) && slices.Equal(a.Source, b.Source) && (a.Source == nil) == (b.Source == nil)
}

func equalMatrices(a, b *descriptors.Matrix) bool {
	return a.Rows == b.Rows && a.Dim == b.Dim && a.Type == b.Type && a.UnitNorm == b.UnitNorm &&
		slices.Equal(a.Uint8, b.Uint8) && slices.EqualFunc(a.Float32, b.Float32, sameBits) && slices.Equal(a.Valid(), b.Valid())
}
