package nearest_test

import (
	"fmt"
	"math"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
)

// The candidates are so close to each other, and so are the queries, that
// float32 arithmetic cannot tell them apart: elements differ by at most one
// unit in the last place, around a point that is far from zero or near it.
// Where one side is much the longer, the error is as large as the shorter
// side's differences.
func TestNearTiesOfFloatsAreDecidedByTheCanonicalDistance(t *testing.T) {
	for _, magnitude := range [][2]float32{
		{1, 1}, {1000, 1000}, {1e30, 1e30}, {3e38, 3e38}, {1e-19, 1e-19}, {1e-30, 1e-30}, {1e-44, 1e-44},
		{1, 1e-3}, {1e-3, 1}, {1, 1e-5}, {1e-5, 1}, {1e18, 1e20}, {1e20, 1e18},
	} {
		for _, dim := range []int{2, 120} {
			t.Run(fmt.Sprintf("%g/%g/%d", magnitude[0], magnitude[1], dim), func(t *testing.T) {
				queries, candidates := nearlyEqualRows(dim, 150, magnitude[0], 1), nearlyEqualRows(dim, 140, magnitude[1], 2)
				truth := make([]int32, queries.Rows)
				for i := range truth {
					truth[i] = int32(7 * i % candidates.Rows)
				}
				must.Do(t, checkKernels(t, queries, candidates, truth))
			})
		}
	}
}

// nearlyEqualRows are rows around one centre, which depends on dim alone.
func nearlyEqualRows(dim, n int, magnitude float32, seed uint64) *descriptors.Matrix {
	r, centre := generator(seed), generator(uint64(dim))
	base := make([]float32, dim)
	for k := range base {
		base[k] = magnitude * (0.5 + centre.Float32()/2)
	}
	m := &descriptors.Matrix{Rows: n, Dim: dim, Type: descriptors.Float32}
	for range n {
		for _, x := range base {
			switch r.IntN(6) {
			case 0:
				x = math.Nextafter32(x, 0)
			case 1:
				x = math.Nextafter32(x, math.MaxFloat32)
			}
			m.Float32 = append(m.Float32, x)
		}
	}
	return m
}

// Rows of very different length in one matrix: neither may the long ones spoil
// what is known of the short ones, nor may sums overflow to NaN.
func TestRowsOfVeryDifferentLengthAreRankedExactly(t *testing.T) {
	const dim = 40
	matrix := func(n int, seed uint64) *descriptors.Matrix {
		r := generator(seed)
		m := &descriptors.Matrix{Rows: n, Dim: dim, Type: descriptors.Float32}
		for range n {
			magnitude := []float64{1e-44, 1e-22, 1e-3, 1, 1.0001, 1e3, 1e15, 2e18, 1e19, 1e30, 3e38}[r.IntN(11)]
			for range dim {
				m.Float32 = append(m.Float32, float32(magnitude*(2*r.Float64()-1)))
			}
		}
		return m
	}
	queries, candidates := matrix(150, 1), matrix(300, 2)
	truth := make([]int32, queries.Rows)
	for i := range truth {
		truth[i] = int32(i * 2)
	}
	must.Do(t, checkKernels(t, queries, candidates, truth))
}
