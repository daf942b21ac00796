package nearest

import (
	"math"

	"descbench/descriptors"
)

// A Scanner compares many queries with one list of rows by squared distance. It
// is safe for concurrent use.
type Scanner struct {
	rows    *validRows
	longest float64 // the largest squared norm of valid rows
	scan    scan
}

// A Visit receives rows of a Scanner that may be within the limit of a query. Each D2
// differs by at most slack from SquaredDistance, or from +Inf if either row is invalid.
// If slack is infinite, D2 may be NaN. The visit must not keep near.
type Visit func(query int, near []Near, slack float64)

// A Near is a row of a Scanner and its squared distance. The C kernels share its layout
// (nn_near).
type Near struct {
	Row int
	D2  float64
}

// NewScanner returns the scanner of the given rows, which it keeps. It fails if they
// are malformed.
func NewScanner(rows *descriptors.Matrix) (*Scanner, error) { return newScanner(rows, kernels()[0]) }

func newScanner(rows *descriptors.Matrix, k kernel) (*Scanner, error) {
	if err := checkMatrix("rows", rows); err != nil {
		return nil, err
	}
	s := &Scanner{rows: newRowsInPlace(rows)}
	for _, norm := range s.rows.norm {
		if !math.IsInf(norm, 1) {
			s.longest = max(s.longest, norm)
		}
	}
	switch rows.Type {
	case descriptors.Float32:
		s.scan = scanOf(s.rows, k.float, k.withinFloat)
	case descriptors.Bits:
		s.scan = scanOf(s.rows, k.bits, k.withinInt)
	default:
		s.scan = scanOf(s.rows, k.uint8, k.withinInt)
	}
	return s, nil
}

// Scan visits all pairs of a query and a row at a squared distance of at most
// the query's limit, and perhaps others, the rows of each query in ascending order.
// visit may lower limits[query]; later calls for this query then leave out more rows.
// Scan panics if the queries do not fit the rows.
func (s *Scanner) Scan(queries *descriptors.Matrix, limits []float64, visit Visit) {
	if err := checkPair(queries, s.rows.m); err != nil {
		panic(err)
	}
	rows, slack := newRowsInPlace(queries), make([]float64, queries.Rows)
	for i, norm := range rows.norm {
		if queries.Type == descriptors.Float32 && !math.IsInf(norm, 1) { // integers are exact
			slack[i] = floatError(norm, queries.Dim) + floatError(s.longest, queries.Dim)
		}
	}
	s.scan(rows, limits[:queries.Rows], slack, visit)
}

// A scanQuery is the kernels' state of one query. The C kernels share its layout
// (nn_query).
type scanQuery struct {
	norm, limit float64
	near        int // number of rows found
}

// A withinFunc writes the pairs of a tile of dot products whose d² does not exceed the
// limit, or is NaN, query by query, and sets the number of each query's. norms are
// those of the candidates, padded like columns. near has room for the whole tile.
type withinFunc[T int32 | float32] func(dots []T, t tile, queries []scanQuery, norms []float64, near []Near)

// A scan visits the rows whose d² to a query, as far as the kernel knows it, is at most its limit plus
// its slack when a tile of rows is compared.
type scan func(queries *validRows, limits, slack []float64, visit Visit)

func scanOf[T int32 | float32](rows *validRows, dot products[T], within withinFunc[T]) scan {
	candidates := dot.candidates(rows)
	norms := make([]float64, padded(rows.len()))
	copy(norms, rows.norm)
	stride := tileStride(4 * candidates.perRow)
	return func(queries *validRows, limits, slack []float64, visit Visit) {
		packed, own := dot.queries(queries), make([]scanQuery, queries.len())
		dots, memory := make([]T, blockRows*stride), make([]Near, blockRows*stride)
		for row := 0; row < queries.len(); row += blockRows {
			for col := 0; col < rows.len(); col += stride {
				t := tile{row, min(blockRows, queries.len()-row), col, min(stride, rows.len()-col), stride}
				dot.fill(dots, t, packed, candidates)
				for i := row; i < row+t.rows; i++ {
					own[i].norm, own[i].limit = queries.norm[i], limits[i]+slack[i]
				}
				within(dots, t, own, norms, memory)
				near := memory
				for i := row; i < row+t.rows; i++ {
					if n := own[i].near; n > 0 {
						visit(i, near[:n], slack[i])
						near = near[n:]
					}
				}
			}
		}
	}
}
