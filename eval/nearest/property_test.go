package nearest_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/nearest"
)

// pairOfMatrices draws queries and candidates of one kind, rich in what is
// awkward: few distinct values, hence ties; repeated rows; zero rows; rows
// that are not finite or marked invalid.
func pairOfMatrices(t *rapid.T) (queries, candidates *descriptors.Matrix, truth []int32) {
	typ := rapid.SampledFrom([]descriptors.ElementType{descriptors.Uint8, descriptors.Float32, descriptors.Bits}).Draw(t, "type")
	dim := rapid.SampledFrom([]int{1, 2, 3, 4, 5, 7, 8, 16, 31, 33, 64, 128}).Draw(t, "dim")
	unitNorm := typ == descriptors.Uint8 && rapid.Bool().Draw(t, "unit norm")
	scale := rapid.SampledFrom([]float32{1, 1e-3, 1e30, 3e38, 1e-20, 1e-44}).Draw(t, "scale")
	levels := rapid.SampledFrom([]int{1, 2, 3, 255}).Draw(t, "levels")
	matrix := func(name string) *descriptors.Matrix {
		m := &descriptors.Matrix{Rows: rapid.IntRange(0, 90).Draw(t, name), Dim: dim, Type: typ, UnitNorm: unitNorm}
		seed := rapid.Uint64().Draw(t, name+" seed")
		fill(m, seed, levels, scale)
		return m
	}
	queries, candidates = matrix("queries"), matrix("candidates")
	if rapid.Bool().Draw(t, "shared rows") {
		for i := range min(queries.Rows, candidates.Rows) {
			if i%3 == 0 {
				queries.CopyRow(i, candidates, i)
			}
		}
	}
	for range queries.Rows {
		truth = append(truth, int32(rapid.IntRange(-1, candidates.Rows-1).Draw(t, "truth")))
	}
	return queries, candidates, truth
}

// fill makes the elements of m: integers from 0 to levels, times scale if they
// are floats, some of them negative.
func fill(m *descriptors.Matrix, seed uint64, levels int, scale float32) {
	r := generator(seed)
	n := m.Rows * m.Stride()
	if m.Type == descriptors.Float32 {
		m.Float32 = make([]float32, n)
		for k := range m.Float32 {
			m.Float32[k] = float32(r.IntN(2*levels+1)-levels) / float32(levels) * scale
		}
	} else {
		m.Uint8 = make([]uint8, n)
		for k := range m.Uint8 {
			m.Uint8[k] = uint8(r.IntN(levels + 1))
		}
		if last := m.Dim % 8; m.Type == descriptors.Bits && last != 0 {
			for i := range m.Rows {
				m.Uint8[(i+1)*m.Stride()-1] &= 1<<last - 1
			}
		}
	}
	marks := r.IntN(4) > 0
	for i := range m.Rows {
		switch r.IntN(12) {
		case 0:
			copyRow(m, i, m, r.IntN(m.Rows))
		case 1:
			spoil(m, i, 0)
		case 2:
			spoil(m, i, float32(math.NaN()))
		case 3:
			spoil(m, i, float32(math.Inf(1-2*r.IntN(2))))
		case 4:
			if marks {
				m.Mark(i)
			}
		}
	}
	// Marked rows keep what they hold, and zeros may be valid.
	for i := range m.Rows {
		finite, zero := contents(m, i)
		if !finite || zero && (marks || m.UnitNorm) {
			m.Mark(i)
		}
	}
}

func copyRow(to *descriptors.Matrix, i int, from *descriptors.Matrix, j int) {
	n := to.Stride()
	if to.Type == descriptors.Float32 {
		copy(to.Float32[i*n:(i+1)*n], from.Float32[j*n:(j+1)*n])
	} else {
		copy(to.Uint8[i*n:(i+1)*n], from.Uint8[j*n:(j+1)*n])
	}
}

// spoil sets row i to zero, or, in float rows only, one element of it to v.
func spoil(m *descriptors.Matrix, i int, v float32) {
	n := m.Stride()
	switch {
	case m.Type == descriptors.Float32 && v == 0:
		clear(m.Float32[i*n : (i+1)*n])
	case m.Type == descriptors.Float32:
		m.Float32[i*n+i%n] = v
	case v == 0:
		clear(m.Uint8[i*n : (i+1)*n])
	}
}

func TestCountingIsTheSameAsSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queries, candidates, truth := pairOfMatrices(t)
		must.Do(t, checkKernels(t, queries, candidates, truth))
	})
}

// checkKernels compares a search and the measures of all kernels with the definitions.
func checkKernels(t rapid.TB, queries, candidates *descriptors.Matrix, truth []int32) error {
	found := everyKernel(t, queries, candidates, truth)
	if err := compare(found, reference(queries, candidates, truth), queries.UnitNorm); err != nil {
		return err
	}
	for _, kernel := range nearest.Kernels() {
		m := must.Get(nearest.NewMeasureWith(queries, candidates, kernel))(t)
		if err := checkMeasure(queries, candidates, truth, m, found); err != nil {
			return fmt.Errorf("measure with kernel %s: %w", kernel, err)
		}
	}
	return nil
}
