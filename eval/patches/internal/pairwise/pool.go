package pairwise

import (
	"descbench/descriptors"
	"descbench/eval/nearest"
	"descbench/eval/patches"
)

// A Pool is a list of rows that many queries are compared with.
type Pool struct {
	Rows    *descriptors.Matrix
	measure Measure
	squared *nearest.Pool // nil: by the key of every pair
}

const (
	// BlockQueries is the number of queries to Scan at once at best, and
	// blockRows that of rows where every key is computed.
	BlockQueries = 64
	blockRows    = 128
)

// NewPool takes the rows, which it keeps.
func NewPool(m Measure, rows *descriptors.Matrix) (*Pool, error) {
	p := &Pool{Rows: rows, measure: m}
	if m.distance == patches.L1 && rows.Type != descriptors.Bits {
		return p, nil
	}
	var err error
	p.squared, err = nearest.NewPool(rows)
	return p, err
}

// Key returns the key of a query and a row of the pool.
func (p *Pool) Key(queries *descriptors.Matrix, query, row int) float64 {
	return p.measure.Key(queries, query, p.Rows, row)
}

// Scan compares every query with the whole pool. visit is called with the keys
// of one query and the rows from first on, each at most slack from the true
// key, or, if slack is 0, equal to it. It must not keep the keys.
func (p *Pool) Scan(queries *descriptors.Matrix, visit nearest.Visit) {
	if p.squared != nil {
		p.squared.Scan(queries, visit)
		return
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

// Gather returns a matrix of n rows, row k being row at(k) of a matrix of the
// same type and dimension.
func Gather(typ descriptors.ElementType, dim, n int, at func(k int) (*descriptors.Matrix, int)) *descriptors.Matrix {
	g := descriptors.New(n, dim, typ)
	for k := range n {
		m, i := at(k)
		g.CopyRow(k, m, i)
	}
	return g
}
