package descriptors

// mapRows returns a Float32 matrix of what f makes of each row of m in place.
// Rows that describe nothing are marked and zero, and f does not see them.
func (m *Matrix) mapRows(f func(i int, row []float64) error) (*Matrix, error) {
	m = MarkInvalid(m)
	out := &Matrix{
		Rows: m.Rows, Dim: m.Dim, Type: Float32,
		Float32: make([]float32, m.Rows*m.Dim),
		Invalid: m.Invalid,
	}
	row := make([]float64, m.Dim)
	for i := range m.Rows {
		if m.IsInvalid(i) {
			continue
		}
		for j := range row {
			if m.Type == Uint8 {
				row[j] = float64(m.Uint8[i*m.Dim+j])
			} else {
				row[j] = float64(m.Float32[i*m.Dim+j])
			}
		}
		if err := f(i, row); err != nil {
			return nil, err
		}
		for j, v := range row {
			out.Float32[i*m.Dim+j] = float32(v)
		}
	}
	return out, nil
}

// rowOf returns row i of elements, not copied.
func rowOf[T uint8 | float32](elements []T, stride, i int) []T {
	return elements[i*stride : (i+1)*stride]
}

func allZero[T uint8 | float32](row []T) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}

// Select returns a matrix of the given rows of m, in the order given.
func (m *Matrix) Select(rows []int) *Matrix {
	out := &Matrix{Rows: len(rows), Dim: m.Dim, Type: m.Type, UnitNorm: m.UnitNorm}
	out.Uint8 = selectRows(m.Uint8, m.Stride(), rows)
	out.Float32 = selectRows(m.Float32, m.Stride(), rows)
	if m.Invalid != nil {
		out.Invalid = make([]bool, len(rows))
		for i, r := range rows {
			out.Invalid[i] = m.Invalid[r]
		}
	}
	return out
}

func selectRows[T uint8 | float32](elements []T, stride int, rows []int) []T {
	if elements == nil {
		return nil
	}
	out := make([]T, 0, len(rows)*stride)
	for _, r := range rows {
		out = append(out, rowOf(elements, stride, r)...)
	}
	return out
}
