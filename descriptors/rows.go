package descriptors

// mapRows applies f to a float64 copy of each row of m, which f changes in
// place, and returns the results as a Float32 matrix. Invalid rows stay invalid
// and are zero, and f is not called for them.
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

// load copies row i of m into row. m must not hold bits.
func (m *Matrix) load(i int, row []float64) {
	convert(row, rowOf(m.Uint8, m.Dim, i))
	convert(row, rowOf(m.Float32, m.Dim, i))
}

// store sets row i of m to row, rounded to float32, or converted to uint8 if m
// is Uint8: row then holds integers from 0 to 255. m must not hold bits.
func (m *Matrix) store(i int, row []float64) {
	convert(rowOf(m.Uint8, m.Dim, i), row)
	convert(rowOf(m.Float32, m.Dim, i), row)
}

// convert sets the elements of to, unless one of the two is nil.
func convert[To, From uint8 | float32 | float64](to []To, from []From) {
	for j := range min(len(to), len(from)) {
		to[j] = To(from[j])
	}
}

// rowOf returns row i of elements without copying it, or nil if elements is
// empty.
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

// CopyRow copies row j of from, with its mark, to row i of m. Both matrices
// must have the same type and dimension.
func (m *Matrix) CopyRow(i int, from *Matrix, j int) {
	n := m.Stride()
	copy(rowOf(m.Uint8, n, i), rowOf(from.Uint8, n, j))
	copy(rowOf(m.Float32, n, i), rowOf(from.Float32, n, j))
	if from.IsInvalid(j) {
		m.Mark(i)
	}
}

// Select returns a matrix of the given rows of m in the given order.
func (m *Matrix) Select(rows []int) *Matrix {
	out := New(len(rows), m.Dim, m.Type)
	out.UnitNorm = m.UnitNorm
	for i, r := range rows {
		out.CopyRow(i, m, r)
	}
	return out
}
