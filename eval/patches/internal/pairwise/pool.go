package pairwise

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"descbench/descriptors"
	"descbench/eval/patches"
)

// A Pool is a list of rows that many queries are compared with.
//
// L2 takes |a|² + |b|² − 2a·b with the dot product in float32, whatever the
// order of its additions. That is exact for small integers; else its error is
// bounded by γₙ|a||b|, γₙ = nu/(1−nu), u = 2⁻²⁴ (Higham, Accuracy and Stability
// of Numerical Algorithms, 2002, section 3.1), and the reader of the keys asks
// for the exact one where the bound leaves a question open.
type Pool struct {
	Rows    *descriptors.Matrix
	measure Measure

	// For L2 of numbers:
	values  []float32 // the rows, those invalid as zeros
	norms   []float64 // their squared norms, +Inf if invalid
	largest float64   // finite norm, not squared
	exact   bool      // dot products in float32 are exact
}

const (
	// BlockQueries is the number of queries to Scan at once at best, and
	// blockRows that of rows; gonum multiplies blocks of this size without
	// goroutines of its own.
	BlockQueries = 64
	blockRows    = 128

	// float32Range bounds |a||b| so that dot products are far from overflow.
	float32Range = 1e37
)

// NewPool takes the rows, which it keeps.
func NewPool(m Measure, rows *descriptors.Matrix) *Pool {
	p := &Pool{Rows: rows, measure: m}
	if rows.Type == descriptors.Bits || m.distance == patches.L1 {
		return p
	}
	p.exact = rows.Type == descriptors.Uint8 && rows.Dim*255*255 < 1<<24
	p.values = plainValues(rows)
	p.norms = make([]float64, rows.Rows)
	for i := range p.norms {
		p.norms[i] = math.Inf(1)
		if !rows.IsInvalid(i) {
			p.norms[i] = squaredNorm(p.values[i*rows.Dim : (i+1)*rows.Dim])
			p.largest = max(p.largest, math.Sqrt(p.norms[i]))
		}
	}
	return p
}

// plainValues returns the values of all rows, zeros for those invalid.
func plainValues(m *descriptors.Matrix) []float32 {
	if m.Type == descriptors.Float32 && m.CountInvalid() == 0 {
		return m.Float32
	}
	values := make([]float32, 0, m.Rows*m.Dim)
	for i := range m.Rows {
		if m.IsInvalid(i) {
			values = append(values, make([]float32, m.Dim)...)
			continue
		}
		values = patches.AppendRow(values, m, i)
	}
	return values
}

func squaredNorm(row []float32) float64 {
	sum := 0.0
	for _, v := range row {
		sum += float64(float64(v) * float64(v))
	}
	return sum
}

// Key returns the key of a query and a row of the pool.
func (p *Pool) Key(queries *descriptors.Matrix, query, row int) float64 {
	return p.measure.Key(queries, query, p.Rows, row)
}

// Scan compares every query with the whole pool. visit is called with the keys
// of one query and the rows from first on, each at most slack from the true
// key, or, if slack is 0, equal to it. A key that is NaN says nothing. visit
// must not keep the keys.
func (p *Pool) Scan(queries *descriptors.Matrix, visit func(query, first int, keys []float64, slack float64)) {
	if p.values != nil {
		values := plainValues(queries)
		norms := make([]float64, queries.Rows)
		largest := 0.0
		for i := range norms {
			norms[i] = squaredNorm(values[i*queries.Dim : (i+1)*queries.Dim])
			largest = max(largest, math.Sqrt(norms[i]))
		}
		if largest*p.largest < float32Range {
			p.scanProducts(queries, values, norms, visit)
			return
		}
	}
	keys := make([]float64, blockRows)
	for first := 0; first < p.Rows.Rows; first += blockRows {
		keys := keys[:min(blockRows, p.Rows.Rows-first)]
		for q := range queries.Rows {
			p.measure.keys(keys, queries, q, p.Rows, first)
			visit(q, first, keys, 0)
		}
	}
}

func (p *Pool) scanProducts(queries *descriptors.Matrix, values []float32, norms []float64, visit func(query, first int, keys []float64, slack float64)) {
	dim := queries.Dim
	slack := make([]float64, queries.Rows)
	if !p.exact {
		for q := range slack {
			slack[q] = p.slack(dim, norms[q])
		}
	}
	keys := make([]float64, blockRows)
	products := blas32.General{Stride: blockRows, Data: make([]float32, min(BlockQueries, queries.Rows)*blockRows)}
	for start := 0; start < queries.Rows; start += BlockQueries {
		products.Rows = min(BlockQueries, queries.Rows-start)
		a := blas32.General{Rows: products.Rows, Cols: dim, Stride: dim, Data: values[start*dim : (start+products.Rows)*dim]}
		for first := 0; first < p.Rows.Rows; first += blockRows {
			products.Cols = min(blockRows, p.Rows.Rows-first)
			b := blas32.General{Rows: products.Cols, Cols: dim, Stride: dim, Data: p.values[first*dim : (first+products.Cols)*dim]}
			blas32.Gemm(blas.NoTrans, blas.Trans, 1, a, b, 0, products)
			for i := range products.Rows {
				norm := norms[start+i]
				if queries.IsInvalid(start + i) {
					norm = math.Inf(1)
				}
				rowNorms := p.norms[first : first+products.Cols]
				keys := keys[:len(rowNorms)]
				for k, dot := range products.Data[i*blockRows:][:len(rowNorms)] {
					keys[k] = norm + rowNorms[k] - 2*float64(dot)
				}
				visit(start+i, first, keys, slack[start+i])
			}
		}
	}
}

// slack bounds the error of the keys of a query: that of the product in
// float32, what denormal products lose, and what the sums in float64, here and
// in the true key, lose.
func (p *Pool) slack(dim int, norm float64) float64 {
	const u32, tiny, u64 = 1. / (1 << 24), 0x1p-148, 0x1p-52
	n := float64(dim)
	gamma := n * u32 / (1 - n*u32)
	a := math.Sqrt(norm)
	return 2*(gamma*a*p.largest+n*tiny) + (n+4)*u64*(a+p.largest)*(a+p.largest)
}

// Gather returns a matrix of n rows, row k being row at(k) of a matrix of the
// same type and dimension.
func Gather(typ descriptors.ElementType, dim, n int, at func(k int) (*descriptors.Matrix, int)) *descriptors.Matrix {
	g := &descriptors.Matrix{Rows: n, Dim: dim, Type: typ}
	stride := g.Stride()
	if typ == descriptors.Float32 {
		g.Float32 = make([]float32, 0, n*stride)
	} else {
		g.Uint8 = make([]uint8, 0, n*stride)
	}
	for k := range n {
		m, i := at(k)
		if typ == descriptors.Float32 {
			g.Float32 = append(g.Float32, m.Float32[i*stride:(i+1)*stride]...)
		} else {
			g.Uint8 = append(g.Uint8, m.Uint8[i*stride:(i+1)*stride]...)
		}
		if m.IsInvalid(i) {
			if g.Invalid == nil {
				g.Invalid = make([]bool, n)
			}
			g.Invalid[k] = true
		}
	}
	return g
}
