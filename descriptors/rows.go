package descriptors

// mapRows applies f to a float64 copy of each row of m, which f changes in
// place, and returns the results as a Float32 matrix. Rows that do not describe
// anything are zero and marked, and f is not called for them.
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

// store sets row i of m to row, rounded to float32, or converted to uint8 if m
// is Uint8: row then holds integers from 0 to 255. m must not hold bits.
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

// rowOf returns row i of elements without copying it.
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

// Select returns a matrix of the given rows of m in the given order.
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
