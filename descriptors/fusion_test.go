package descriptors

import (
	"testing"

	"descbench/eval/must"
)

func TestFusionWorkedByHand(t *testing.T) {
	for _, c := range []struct {
		name      string
		parts     []*Matrix
		aggregate Aggregate
		want      *Matrix
	}{
		{"concatenate, of different dimensions",
			[]*Matrix{floats([]float32{1, 2}, []float32{3, 4}), floats([]float32{5}, []float32{6})}, Concatenate,
			floats([]float32{1, 2, 5}, []float32{3, 4, 6})},
		{"concatenate bytes",
			[]*Matrix{uint8s([]uint8{1, 2}), uint8s([]uint8{255})}, Concatenate,
			uint8s([]uint8{1, 2, 255})},
		{"concatenate bytes and floats",
			[]*Matrix{uint8s([]uint8{1, 2}), floats([]float32{0.5})}, Concatenate,
			floats([]float32{1, 2, 0.5})},
		{"rows that stand for unit rows are written out",
			[]*Matrix{unit(uint8s([]uint8{3, 4})), floats([]float32{0.5, -1})}, Concatenate,
			floats([]float32{0.6, 0.8, 0.5, -1})},
		{"mean of unit rows is not normalised",
			[]*Matrix{unit(uint8s([]uint8{9, 0})), unit(uint8s([]uint8{0, 200}))}, Mean,
			floats([]float32{0.5, 0.5})},
	} {
		var before []*Matrix
		for _, part := range c.parts {
			before = append(before, part.clone())
		}
		got, err := Fuse(c.parts, c.aggregate)
		if err != nil || !near(got, c.want) {
			t.Errorf("%s: got %+v, %v, want %+v", c.name, got, err, c.want)
		}
		for i := range c.parts {
			if !same(c.parts[i], before[i]) {
				t.Errorf("%s: component %d became %+v", c.name, i+1, c.parts[i])
			}
		}
	}
}

func TestARowMissingInOneComponentIsInvalid(t *testing.T) {
	for _, a := range []Aggregate{Concatenate, Mean} {
		x := floats([]float32{1, 2}, []float32{3, 4}, []float32{5, nan}, []float32{7, 8}, []float32{0, 0}).marked(0)
		y := unit(uint8s([]uint8{1, 2}, []uint8{3, 4}, []uint8{5, 6}, []uint8{0, 0}, []uint8{1, 1}))
		got := must.Get(Fuse([]*Matrix{x, y}, a))(t)
		for i, want := range []bool{true, false, true, true, true} {
			if got.IsInvalid(i) != want {
				t.Errorf("%v: row %d is invalid: %v, want %v", a, i, got.IsInvalid(i), want)
			}
			if want && !allZero(rowOf(got.Float32, got.Dim, i)) {
				t.Errorf("%v: row %d is %v, want zeros", a, i, rowOf(got.Float32, got.Dim, i))
			}
		}
	}
}

func TestFusionRefusesWhatItCannotDo(t *testing.T) {
	good := uint8s([]uint8{1, 2})
	for want, c := range map[string]struct {
		parts     []*Matrix
		aggregate Aggregate
	}{
		"component 2 holds bits, want uint8 or float32: binary descriptors cannot be fused":                   {[]*Matrix{good, {Rows: 1, Dim: 16, Type: Bits, Uint8: []uint8{1, 2}}}, Concatenate},
		"component 2 has 2 rows, want 1 as in component 1: all must describe the same keypoints":              {[]*Matrix{good, uint8s([]uint8{1, 2}, []uint8{3, 4})}, Concatenate},
		"component 3 has rows of 1 elements, component 1 of 2; want equal numbers, or aggregate: concatenate": {[]*Matrix{good, good, uint8s([]uint8{1})}, Mean},
	} {
		_, err := Fuse(c.parts, c.aggregate)
		must.Fail(t, err, want)
	}
}
