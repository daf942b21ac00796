package descriptors

import (
	"math"
	"slices"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

// floats returns the matrix of the given rows, the empty ones marked.
func floats(rows ...[]float32) *Matrix {
	m := &Matrix{Rows: len(rows), Type: Float32}
	for _, r := range rows {
		m.Dim = len(r)
		m.Float32 = append(m.Float32, r...)
	}
	m.MarkEmpty()
	return m
}

// uint8s returns the matrix of the given rows, the empty ones marked.
func uint8s(rows ...[]uint8) *Matrix {
	m := &Matrix{Rows: len(rows), Type: Uint8}
	for _, r := range rows {
		m.Dim = len(r)
		m.Uint8 = append(m.Uint8, r...)
	}
	m.MarkEmpty()
	return m
}

// clone returns a copy that shares nothing.
func (m *Matrix) clone() *Matrix {
	out := *m
	out.Uint8, out.Float32, out.invalid = slices.Clone(m.Uint8), slices.Clone(m.Float32), slices.Clone(m.invalid)
	return &out
}

// same reports whether a and b are the same matrix, bit by bit.
func same(a, b *Matrix) bool {
	bits := func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) }
	return a.Rows == b.Rows && a.Dim == b.Dim && a.Type == b.Type && a.UnitNorm == b.UnitNorm &&
		slices.Equal(a.Uint8, b.Uint8) && slices.EqualFunc(a.Float32, b.Float32, bits) && slices.Equal(a.Valid(), b.Valid())
}
