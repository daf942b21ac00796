package descriptors

// mapRows returns a Float32 matrix of what f makes of each row of m in place.
// Invalid rows stay so and are zero, and f does not see them.
func (m *Matrix) mapRows(f func(i int, row []float64) error) (*Matrix, error) {
	out := New(m.Rows, m.Dim, Float32)
	out.CopyMarks(m)
	row := make([]float64, m.Dim)
	for i := range m.Rows {
		if m.IsInvalid(i) {
			continue
		}
		m.load(i, row)
		if err := f(i, row); err != nil {
			return nil, err
		}
		out.store(i, row)
	}
	return out, nil
}

// load copies row i of m, which does not hold bits, to row.
func (m *Matrix) load(i int, row []float64) {
	if m.Type == Uint8 {
		for j, v := range rowOf(m.Uint8, m.Dim, i) {
			row[j] = float64(v)
		}
		return
	}
	for j, v := range rowOf(m.Float32, m.Dim, i) {
		row[j] = float64(v)
	}
}

// store makes row i of m, which does not hold bits, that row: rounded to
// float32, or of integers from 0 to 255.
func (m *Matrix) store(i int, row []float64) {
	if m.Type == Uint8 {
		to := rowOf(m.Uint8, m.Dim, i)
		for j, v := range row {
			to[j] = uint8(v)
		}
		return
	}
	to := rowOf(m.Float32, m.Dim, i)
	for j, v := range row {
		to[j] = float32(v)
	}
}

// rowOf returns row i of elements, not copied; nil if there are none.
func rowOf[T uint8 | float32](elements []T, stride, i int) []T {
	if elements == nil {
		return nil
	}
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

// CopyRow makes row i of m, with its mark, row j of a matrix of the same type
// and dimension.
func (m *Matrix) CopyRow(i int, from *Matrix, j int) {
	n := m.Stride()
	copy(rowOf(m.Uint8, n, i), rowOf(from.Uint8, n, j))
	copy(rowOf(m.Float32, n, i), rowOf(from.Float32, n, j))
	if from.IsInvalid(j) {
		m.Mark(i)
	}
}

// Select returns a matrix of the given rows of m, in the order given.
func (m *Matrix) Select(rows []int) *Matrix {
	out := New(len(rows), m.Dim, m.Type)
	out.UnitNorm = m.UnitNorm
	for i, r := range rows {
		out.CopyRow(i, m, r)
	}
	return out
}
