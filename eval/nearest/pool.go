package nearest

import (
	"math"

	"descbench/descriptors"
)

// A Pool is a list of rows that many queries are compared with by squared
// distance. Distances equal SquaredDistance, or +Inf if either row is invalid.
// It is safe for concurrent use.
type Pool struct {
	rows *descriptors.Matrix
	scan func(queries *validRows, visit Visit)
}

// A Visit receives the squared distances of one query to the rows of a pool
// starting at first. Each differs from the canonical distance by at most slack.
// It must not keep d2.
type Visit func(query, first int, d2 []float64, slack float64)

// NewPool returns the pool of the given rows, which it keeps. It fails if they
// are malformed.
func NewPool(rows *descriptors.Matrix) (*Pool, error) {
	if err := checkMatrix("pool", rows); err != nil {
		return nil, err
	}
	p, k := &Pool{rows: rows}, kernels()[0]
	switch rows.Type {
	case descriptors.Float32:
		p.scan = scanOf(rows, k.float)
	case descriptors.Bits:
		p.scan = scanOf(rows, k.bits)
	default:
		p.scan = scanOf(rows, k.uint8)
	}
	return p, nil
}

// Scan visits all pairs of a query and a pool row, the rows of each query in
// ascending order. It panics if the queries do not fit the rows.
func (p *Pool) Scan(queries *descriptors.Matrix, visit Visit) {
	if err := checkPair(queries, p.rows); err != nil {
		panic(err)
	}
	p.scan(newRowsInPlace(queries), visit)
}

func scanOf[T int32 | float32](m *descriptors.Matrix, dot products[T]) func(queries *validRows, visit Visit) {
	rows := newRowsInPlace(m)
	longest := 0.0
	for _, norm := range rows.norm {
		if !math.IsInf(norm, 1) {
			longest = max(longest, norm)
		}
	}
	candidates := dot.candidates(rows)
	stride := tileStride(4 * candidates.perRow)
	return func(queries *validRows, visit Visit) {
		packed := dot.queries(queries)
		dots, d2 := make([]T, blockRows*stride), make([]float64, stride)
		for row := 0; row < queries.len(); row += blockRows {
			for col := 0; col < rows.len(); col += stride {
				t := tile{row, min(blockRows, queries.len()-row), col, min(stride, rows.len()-col), stride}
				dot.fill(dots, t, packed, candidates)
				norms, d2 := rows.norm[col:][:t.cols], d2[:t.cols]
				for i := range t.rows {
					norm := queries.norm[row+i]
					for k, dot := range dots[i*stride:][:t.cols] {
						d2[k] = norm + norms[k] - 2*float64(dot)
					}
					slack := 0.0
					if m.Type == descriptors.Float32 && !math.IsInf(norm, 1) {
						slack = floatError(norm, m.Dim) + floatError(longest, m.Dim)
					}
					if math.IsInf(slack, 1) { // some may be NaN
						clear(d2)
					}
					visit(row+i, col, d2, slack)
				}
			}
		}
	}
}
