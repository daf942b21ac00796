package descriptors

import "slices"

// An Aggregate says how several rows that describe one keypoint become one row.
type Aggregate uint8

const (
	// Mean is the element-wise mean.
	Mean Aggregate = iota
	// Concatenate joins the rows end to end.
	Concatenate
)

// String returns the aggregate's config name.
func (a Aggregate) String() string {
	return [...]string{"mean", "concatenate"}[a]
}

// combine returns the matrix whose row i aggregates row i of all parts. It uses
// the valid rows only, or, with needAll, marks the row invalid unless all parts
// are valid. A row is also invalid if the result is all zeros.
//
// There is at least one part. Parts do not hold bits, are written out, and have
// equal numbers of rows and (except for Concatenate) of elements. The result is
// Uint8 if all parts are and the aggregate only copies their elements,
// otherwise Float32.
func (a Aggregate) combine(parts []*Matrix, needAll bool) *Matrix {
	out := a.emptyOf(parts)
	rows := make([][]float64, len(parts)) // row i of each part
	for p, part := range parts {
		rows[p] = make([]float64, part.Dim)
	}
	valid := make([][]float64, 0, len(parts))
	result := make([]float64, out.Dim)
	for i := range out.Rows {
		valid = valid[:0]
		for p, part := range parts {
			if part.IsInvalid(i) {
				continue
			}
			part.load(i, rows[p])
			valid = append(valid, rows[p])
		}
		if len(valid) == 0 || needAll && len(valid) < len(parts) {
			continue // the row stays zero and is marked invalid below
		}
		if a == Mean {
			mean(valid, result)
		} else {
			copy(result, slices.Concat(valid...))
		}
		out.store(i, result)
	}
	out.MarkEmpty()
	return out
}

// emptyOf returns the zero matrix that combine fills.
func (a Aggregate) emptyOf(parts []*Matrix) *Matrix {
	dim, t := parts[0].Dim, Uint8
	if a == Concatenate {
		dim = 0
		for _, part := range parts {
			dim += part.Dim
		}
	}
	if a == Mean && len(parts) > 1 || slices.ContainsFunc(parts, func(m *Matrix) bool { return m.Type == Float32 }) {
		t = Float32
	}
	return New(parts[0].Rows, dim, t)
}

// mean sums in row order.
func mean(rows [][]float64, out []float64) {
	for j := range out {
		sum := rows[0][j] // starting from 0 would lose the sign of -0
		for _, row := range rows[1:] {
			sum += row[j]
		}
		out[j] = sum / float64(len(rows))
	}
}
