package pairwise

import (
	"descbench/descriptors"
	"descbench/eval/nearest"
	"descbench/eval/patches"
)

// Candidates are the rows that many queries are compared with.
type Candidates struct {
	Rows    *descriptors.Matrix
	measure Measure
	squared *nearest.Scanner // nil: by the key of every pair
}

// BlockQueries is the best number of queries for one call of Scan, BlockPairs that of pairs for
// a goroutine. blockRows is the number of rows per block if every key is computed.
const (
	BlockQueries = 64
	BlockPairs   = 1 << 14
	blockRows    = 128
)

// NewCandidates returns the rows as candidates. It keeps a reference to them.
func NewCandidates(m Measure, rows *descriptors.Matrix) (*Candidates, error) {
	p := &Candidates{Rows: rows, measure: m}
	if m.distance == patches.L1 && rows.Type != descriptors.Bits {
		return p, nil
	}
	var err error
	p.squared, err = nearest.NewScanner(rows)
	return p, err
}

// Key returns the key of a query and a candidate.
func (p *Candidates) Key(queries *descriptors.Matrix, query, row int) float64 {
	return p.measure.Key(queries, query, p.Rows, row)
}

// Scan visits all pairs of a query and a row with a key of at most the query's limit,
// and perhaps others, the rows of each query in ascending order. D2 is the key. visit
// may lower the limit of its query.
func (p *Candidates) Scan(queries *descriptors.Matrix, limits []float64, visit nearest.Visit) {
	if p.squared != nil {
		p.squared.Scan(queries, limits, visit)
		return
	}
	keys, near := make([]float64, blockRows), make([]nearest.Near, 0, blockRows)
	for first := 0; first < p.Rows.Rows; first += blockRows {
		keys := keys[:min(blockRows, p.Rows.Rows-first)]
		for q := range queries.Rows {
			p.measure.keys(keys, queries, q, p.Rows, first)
			near = near[:0]
			for k, key := range keys {
				if key <= limits[q] {
					near = append(near, nearest.Near{Row: first + k, D2: key})
				}
			}
			if len(near) > 0 {
				visit(q, near, 0)
			}
		}
	}
}

// Gather returns a matrix of n rows. at(k) returns the matrix, of the same type and
// dimension, and the row that row k is copied from.
func Gather(typ descriptors.ElementType, dim, n int, at func(k int) (*descriptors.Matrix, int)) *descriptors.Matrix {
	g := descriptors.New(n, dim, typ)
	for k := range n {
		m, i := at(k)
		g.CopyRow(k, m, i)
	}
	return g
}
