package descriptors

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestOneScaleIsThePlainDescriptor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawRows(t, rapid.IntRange(0, 6).Draw(t, "rows"))
		for _, p := range []Pooling{
			{Scales: []float64{1}},
			{Scales: []float64{1}, Weights: []float64{0.3}},
			{Scales: []float64{1}, Aggregate: Max},
			{Scales: []float64{1}, Aggregate: Min},
			{Scales: []float64{1}, Aggregate: Concatenate},
		} {
			pooled, err := p.Pool(m)
			if err != nil {
				t.Fatal(err)
			}
			for _, norm := range []Norm{NoNorm, L2, L1} {
				want, _ := Normalize(m, norm)
				got, err := Normalize(pooled, norm)
				if err != nil || !same(compact(got), compact(want)) {
					t.Fatalf("%+v, %v: got %+v, %v, want %+v", p, norm, got, err, want)
				}
			}
		}
	})
}

// compact returns m without the sign that the zeros of an invalid row may have.
func compact(m *Matrix) *Matrix {
	out := m.clone()
	for i := range m.Rows {
		if m.IsInvalid(i) {
			out.store(i, make([]float64, m.Dim))
		}
	}
	return out
}

// drawRows draws a matrix, some rows of which are invalid or zero.
func drawRows(t *rapid.T, rows int) *Matrix {
	dim := rapid.IntRange(1, 5).Draw(t, "dim")
	m := &Matrix{Rows: rows, Dim: dim, Type: Float32}
	if rapid.Bool().Draw(t, "bytes") {
		m.Type = Uint8
		m.Uint8 = rapid.SliceOfN(rapid.Uint8(), rows*dim, rows*dim).Draw(t, "elements")
	} else {
		m.Float32 = rapid.SliceOfN(rapid.Float32Range(-1e4, 1e4), rows*dim, rows*dim).Draw(t, "elements")
	}
	m.invalid = rapid.SliceOfN(rapid.Bool(), rows, rows).Draw(t, "invalid")
	m.MarkEmpty()
	return m
}

// drawPooling draws one of means, weighted means, max and min, and rows for it.
func drawPooling(t *rapid.T) (Pooling, *Matrix) {
	scales := rapid.IntRange(1, 4).Draw(t, "scales")
	p := Pooling{
		Scales:    rapid.SliceOfN(rapid.Float64Range(0.1, 3), scales, scales).Draw(t, "factors"),
		Aggregate: rapid.SampledFrom([]Aggregate{Mean, Max, Min}).Draw(t, "aggregate"),
	}
	if p.Aggregate == Mean && rapid.Bool().Draw(t, "weighted") {
		p.Weights = rapid.SliceOfN(rapid.Float64Range(0.01, 10), scales, scales).Draw(t, "weights")
	}
	return p, drawRows(t, scales*rapid.IntRange(0, 5).Draw(t, "keypoints"))
}

func mustPool(t *rapid.T, p Pooling, m *Matrix) *Matrix {
	before := m.clone()
	got, err := p.Pool(m)
	if err != nil {
		t.Fatal(err)
	}
	if !same(m, before) {
		t.Fatalf("the input became %+v", m)
	}
	return got
}

// The truth is in rational numbers.
func TestAMeanOfBytesIsExactAndRoundedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const scales, dim = 3, 4
		m := &Matrix{Rows: scales, Dim: dim, Type: Uint8}
		m.Uint8 = rapid.SliceOfN(rapid.Uint8Range(1, 255), scales*dim, scales*dim).Draw(t, "elements")
		got := mustPool(t, Pooling{Scales: []float64{1, 1, 1}}, m)
		for j := range dim {
			want, _ := big.NewRat(int64(m.Uint8[j])+int64(m.Uint8[dim+j])+int64(m.Uint8[2*dim+j]), scales).Float32()
			if got.Float32[j] != want {
				t.Fatalf("element %d: %v, want %v", j, got.Float32[j], want)
			}
		}
	})
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestPermutedKeypointsGivePermutedRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, m := drawPooling(t)
		p.RootEach = m.Type == Uint8 && rapid.Bool().Draw(t, "root")
		p.NormalizeEach = rapid.SampledFrom([]Norm{NoNorm, L2, L1}).Draw(t, "norm")
		if p.Weights == nil && rapid.Bool().Draw(t, "concatenate") {
			p.Aggregate = Concatenate
		}
		scales := len(p.Scales)
		order := rapid.Permutation(indices(m.Rows/scales)).Draw(t, "order")
		var rows []int
		for _, i := range order {
			for s := range scales {
				rows = append(rows, i*scales+s)
			}
		}
		a, b := mustPool(t, p, m).Select(order), mustPool(t, p, m.Select(rows))
		if !same(compact(a), compact(b)) {
			t.Fatalf("%+v and %+v", a, b)
		}
	})
}

func TestAnInvalidScaleIsAsLeftOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, m := drawPooling(t)
		scales := len(p.Scales)
		if scales < 3 { // two must be left: a mean of one scale is of bytes
			t.Skip("too few scales")
		}
		out := rapid.IntRange(0, scales-1).Draw(t, "left out")
		q := p
		q.Scales = slices.Delete(slices.Clone(p.Scales), out, out+1)
		if p.Weights != nil {
			q.Weights = slices.Delete(slices.Clone(p.Weights), out, out+1)
		}
		var rest []int
		for i := range m.Rows {
			if i%scales == out {
				m.invalid[i] = true
			} else {
				rest = append(rest, i)
			}
		}
		a, b := mustPool(t, p, m), mustPool(t, q, m.Select(rest))
		if !same(compact(a), compact(b)) {
			t.Fatalf("%+v and %+v", a, b)
		}
	})
}
