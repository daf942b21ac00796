package descriptors

import (
	"math"
	"slices"
)

// IsInvalid reports whether row i is marked invalid.
func (m *Matrix) IsInvalid(i int) bool { return m.invalid != nil && m.invalid[i] }

// Valid returns, for every row, whether it is valid.
func (m *Matrix) Valid() []bool {
	valid := make([]bool, m.Rows)
	for i := range valid {
		valid[i] = !m.IsInvalid(i)
	}
	return valid
}

// CountInvalid returns the number of invalid rows.
func (m *Matrix) CountInvalid() int {
	n := 0
	for _, v := range m.invalid {
		if v {
			n++
		}
	}
	return n
}

// Mark marks row i as invalid: its keypoint could not be described.
func (m *Matrix) Mark(i int) {
	if m.invalid == nil {
		m.invalid = make([]bool, m.Rows)
	}
	m.invalid[i] = true
}

// CopyMarks copies the marks of from, which must have as many rows, to m.
func (m *Matrix) CopyMarks(from *Matrix) { m.invalid = slices.Clone(from.invalid) }

// MarkEmpty marks Uint8 and Float32 rows that have a non-finite element or zero
// norm. It sets all marked rows to zero, so that no arithmetic on them meets a
// NaN.
func (m *Matrix) MarkEmpty() {
	for i := range m.Rows {
		if m.isEmpty(i) {
			m.Mark(i)
		}
		if m.IsInvalid(i) {
			clear(rowOf(m.Uint8, m.Stride(), i))
			clear(rowOf(m.Float32, m.Stride(), i))
		}
	}
}

// isEmpty reports whether the elements of row i cannot be a descriptor.
func (m *Matrix) isEmpty(i int) bool {
	switch m.Type {
	case Uint8:
		return allZero(rowOf(m.Uint8, m.Dim, i))
	case Float32:
		row := rowOf(m.Float32, m.Dim, i)
		return allZero(row) || slices.ContainsFunc(row, func(v float32) bool {
			// Some versions of OpenCV limit infinite activations to the largest number.
			return !(math.Abs(float64(v)) < math.MaxFloat32)
		})
	}
	return false // a binary descriptor may be all zeros
}
