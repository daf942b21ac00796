package descriptors

import (
	"math"
	"slices"
)

// MarkInvalid returns m with rows that do not describe anything marked invalid:
// Uint8 and Float32 rows with a non-finite element or zero norm. Rows that are
// already marked stay marked. Marked rows become zeros, so that no arithmetic
// on them meets a NaN.
//
// The result shares unchanged data with m; m is not modified.
func MarkInvalid(m *Matrix) *Matrix {
	out := *m
	invalid := make([]bool, m.Rows)
	added := false
	for i := range invalid {
		marked := m.IsInvalid(i)
		invalid[i] = marked || !m.describes(i)
		added = added || invalid[i] && !marked
	}
	if added {
		out.Invalid = invalid
	}
	out.Uint8 = withZeroRows(m.Uint8, m.Stride(), invalid)
	out.Float32 = withZeroRows(m.Float32, m.Stride(), invalid)
	return &out
}

// describes reports whether the elements of row i are a valid descriptor.
func (m *Matrix) describes(i int) bool {
	switch m.Type {
	case Uint8:
		return !allZero(rowOf(m.Uint8, m.Stride(), i))
	case Float32:
		row := rowOf(m.Float32, m.Stride(), i)
		return !allZero(row) && !slices.ContainsFunc(row, func(v float32) bool {
			return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0)
		})
	}
	return true // a binary descriptor may be all zeros
}

// withZeroRows returns elements with the given rows set to zero. If they are
// already zero it returns elements itself, otherwise a copy.
func withZeroRows[T uint8 | float32](elements []T, stride int, rows []bool) []T {
	if len(elements) == 0 {
		return elements
	}
	out := elements
	for i, zero := range rows {
		if !zero || allZero(rowOf(elements, stride, i)) {
			continue
		}
		if &out[0] == &elements[0] {
			out = slices.Clone(elements)
		}
		clear(rowOf(out, stride, i))
	}
	return out
}
