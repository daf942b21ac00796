package descriptors

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/must"
)

func (m *Matrix) marked(rows ...int) *Matrix {
	for _, i := range rows {
		m.Mark(i)
	}
	return m
}

func TestPoolingWorkedByHand(t *testing.T) {
	two, three := []float64{1, 2}, []float64{0.5, 1, 2}
	third := float32(1) / 3
	for _, c := range []struct {
		name string
		p    Pooling
		in   *Matrix
		want *Matrix
	}{
		{"one scale is the plain descriptor, also of a mean", Pooling{Scales: []float64{1}},
			uint8s([]uint8{3, 7}, []uint8{0, 9}),
			uint8s([]uint8{3, 7}, []uint8{0, 9})},
		{"mean of bytes is of floats", Pooling{Scales: two},
			uint8s([]uint8{1, 0}, []uint8{4, 8}, []uint8{255, 7}, []uint8{255, 9}),
			floats([]float32{2.5, 4}, []float32{255, 8})},
		{"mean, rounded once", Pooling{Scales: three},
			uint8s([]uint8{0, 1}, []uint8{1, 1}, []uint8{0, 0}).marked(),
			floats([]float32{0.5, 1})}, // the zero row is no row
		{"mean of thirds", Pooling{Scales: three},
			uint8s([]uint8{0, 1}, []uint8{1, 1}, []uint8{0, 2}),
			floats([]float32{third, 4 * third})},
		{"one valid scale is its row", Pooling{Scales: two},
			floats([]float32{0.1, 0.3}, []float32{nan, 1}),
			floats([]float32{0.1, 0.3})},
		{"concatenate in the order of the scales", Pooling{Scales: two, Aggregate: Concatenate},
			uint8s([]uint8{1, 2}, []uint8{3, 4}, []uint8{5, 6}, []uint8{7, 8}),
			uint8s([]uint8{1, 2, 3, 4}, []uint8{5, 6, 7, 8})},
		{"normalize each l2: the unit rows of (3, 4) and (400, 300)", Pooling{Scales: two, NormalizeEach: L2},
			floats([]float32{3, 4}, []float32{400, 300}),
			floats([]float32{0.7, 0.7})},
		{"normalize each l2 of bytes writes the unit rows out", Pooling{Scales: two, NormalizeEach: L2, Aggregate: Concatenate},
			uint8s([]uint8{3, 4}, []uint8{80, 60}),
			floats([]float32{0.6, 0.8, 0.8, 0.6})},
		{"rows that stand for unit rows are those", Pooling{Scales: two, Aggregate: Concatenate},
			unit(uint8s([]uint8{3, 4}, []uint8{80, 60})),
			floats([]float32{0.6, 0.8, 0.8, 0.6})},
		{"normalize each l1", Pooling{Scales: two, NormalizeEach: L1},
			uint8s([]uint8{1, 3}, []uint8{60, 20}),
			floats([]float32{0.5, 0.5})},
		{"root each: √(9/25), √(16/25)", Pooling{Scales: two, RootEach: L1, Aggregate: Concatenate},
			uint8s([]uint8{9, 16}, []uint8{16, 9}),
			floats([]float32{0.6, 0.8, 0.8, 0.6})},
		{"root each, then normalize each l1: √(1/10), √(9/10) over their sum", Pooling{Scales: two, RootEach: L1, NormalizeEach: L1, Aggregate: Concatenate},
			uint8s([]uint8{1, 9}, []uint8{9, 1}),
			floats([]float32{0.25, 0.75, 0.75, 0.25})},
	} {
		before := c.in.clone()
		got, err := c.p.Pool(c.in)
		if err != nil || !near(got, c.want) {
			t.Errorf("%s: got %+v, %v, want %+v", c.name, got, err, c.want)
		}
		if !same(c.in, before) {
			t.Errorf("%s: the input became %+v", c.name, c.in)
		}
	}
}

// The truth is in rational numbers.
func TestAMeanOfBytesIsExactAndRoundedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const scales, dim = 3, 4
		elements := rapid.SliceOfN(rapid.Uint8Range(1, 255), scales*dim, scales*dim).Draw(t, "elements")
		got, err := Pooling{Scales: []float64{1, 1, 1}}.Pool(&Matrix{Rows: scales, Dim: dim, Type: Uint8, Uint8: elements})
		must.Do(t, err)
		for j := range dim {
			want, _ := big.NewRat(int64(elements[j])+int64(elements[dim+j])+int64(elements[2*dim+j]), scales).Float32()
			if got.Float32[j] != want {
				t.Fatalf("element %d: %v, want %v", j, got.Float32[j], want)
			}
		}
	})
}

func unit(m *Matrix) *Matrix {
	m.UnitNorm = true
	return m
}

// near is same, but for two units in the last place of float32.
func near(a, b *Matrix) bool {
	return a.Rows == b.Rows && a.Dim == b.Dim && a.Type == b.Type && a.UnitNorm == b.UnitNorm &&
		slices.Equal(a.Uint8, b.Uint8) && slices.EqualFunc(a.Float32, b.Float32, nearly) && slices.Equal(a.Valid(), b.Valid())
}

func nearly(x, y float32) bool {
	return math.Abs(float64(x)-float64(y)) <= math.Abs(float64(y))*math.Ldexp(1, -22)
}

func TestRowsThatCannotBePooledAreInvalidAndZero(t *testing.T) {
	two := []float64{1, 2}
	for _, c := range []struct {
		name string
		p    Pooling
		in   *Matrix
	}{
		{"no valid scale", Pooling{Scales: two}, floats([]float32{1, 2}, []float32{3, nan}).marked(0)},
		{"a scale of a concatenation is missing", Pooling{Scales: two, Aggregate: Concatenate}, uint8s([]uint8{1, 2}, []uint8{3, 4}).marked(0)},
		{"a scale of a concatenation is zero", Pooling{Scales: two, Aggregate: Concatenate}, uint8s([]uint8{0, 0}, []uint8{3, 4})},
		{"the mean is zero", Pooling{Scales: two}, floats([]float32{1, -2}, []float32{-1, 2})},
	} {
		got, err := c.p.Pool(c.in)
		if err != nil || got.Rows != 1 || !got.IsInvalid(0) {
			t.Errorf("%s: got %+v, %v, want one invalid row", c.name, got, err)
		} else if !allZero(got.Uint8) || !allZero(got.Float32) {
			t.Errorf("%s: got %+v, want zeros", c.name, got)
		}
	}
}

func TestPoolingRefusesWhatItCannotDo(t *testing.T) {
	two := []float64{1, 2}
	for want, c := range map[string]struct {
		p Pooling
		m *Matrix
	}{
		"pool: bits rows cannot be pooled, want uint8 or float32":            {Pooling{Scales: two}, &Matrix{Rows: 2, Dim: 8, Type: Bits, Uint8: []uint8{1, 2}}},
		"pool: root l1: row 1, element 0 is -1, want a number of at least 0": {Pooling{Scales: two, RootEach: L1}, floats([]float32{1}, []float32{-1})},
	} {
		_, err := c.p.Pool(c.m)
		must.Fail(t, err, want)
	}
}

func TestNoKeypointsArePooledToNoRows(t *testing.T) {
	for _, a := range []Aggregate{Mean, Concatenate} {
		p := Pooling{Scales: []float64{1, 2}, Aggregate: a}
		if kps := p.Scaled(nil, nil); len(kps) != 0 {
			t.Errorf("%v: got %d keypoints", a, len(kps))
		}
		got, err := p.Pool(&Matrix{Dim: 128, Type: Uint8})
		dim := 128
		if a == Concatenate {
			dim = 256
		}
		if err != nil || got.Rows != 0 || got.Dim != dim {
			t.Errorf("%v: got %+v, %v, want no rows of dimension %d", a, got, err, dim)
		}
	}
}
