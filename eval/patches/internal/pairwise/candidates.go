package pairwise

import (
	"math"
	"slices"

	"descbench/descriptors"
	"descbench/eval/nearest"
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
	if m == ofL1 && rows.Type != descriptors.Bits {
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
	near := make([]nearest.Near, 0, blockRows)
	for first := 0; first < p.Rows.Rows; first += blockRows {
		for q := range queries.Rows {
			near = near[:0]
			for row := first; row < min(first+blockRows, p.Rows.Rows); row++ {
				if key := p.Key(queries, q, row); key <= limits[q] {
					near = append(near, nearest.Near{Row: row, D2: key})
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

// A Neighbour is a candidate and its key.
type Neighbour struct {
	Key float64
	Row int
}

// before reports whether a neighbour comes before another.
func (n Neighbour) before(m Neighbour) bool { return n.Key < m.Key || n.Key == m.Key && n.Row < m.Row }

// Nearest returns the n nearest candidates of each query, or all if there are fewer, in ascending
// order of their keys. On ties the lower row comes first. Unless own is nil, row own[q] is no
// neighbour of query q.
func (p *Candidates) Nearest(queries *descriptors.Matrix, n int, own []int) [][]Neighbour {
	return p.within(queries, n, own, slices.Repeat([]float64{math.Inf(1)}, queries.Rows))
}

// within is Nearest among the candidates whose key is at most the limit of the query, which it lowers.
func (p *Candidates) within(queries *descriptors.Matrix, n int, own []int, limits []float64) [][]Neighbour {
	found, room := make([][]Neighbour, queries.Rows), make([]Neighbour, n*queries.Rows)
	for q := range found {
		found[q] = room[q*n : q*n : (q+1)*n]
	}
	p.Scan(queries, limits, func(q int, near []nearest.Near, slack float64) {
		list := found[q]
		for _, c := range near {
			if c.D2-slack > limits[q] || own != nil && own[q] == c.Row {
				continue
			}
			if slack > 0 {
				c.D2 = p.Key(queries, q, c.Row)
			}
			next, at := Neighbour{c.D2, c.Row}, len(list)
			if at == n && !next.before(list[n-1]) {
				continue
			}
			for at > 0 && next.before(list[at-1]) {
				at--
			}
			if list = slices.Insert(list[:min(len(list), n-1)], at, next); len(list) == n {
				limits[q] = list[n-1].Key
			}
		}
		found[q] = list
	})
	return found
}

// First returns, for each row of a, its nearest row of b and their key, or -1 and +Inf
// if there is none. On ties the lower row comes first. The keys of rows of the same
// number limit what is looked for, so that it takes less time where these are near.
func (m Measure) First(a, b *descriptors.Matrix) (rows []int32, keys []float64, err error) {
	candidates, err := NewCandidates(m, b)
	if err != nil {
		return nil, nil, err
	}
	keys = slices.Repeat([]float64{math.Inf(1)}, a.Rows)
	for i := range min(a.Rows, b.Rows) {
		keys[i] = m.Key(a, i, b, i)
	}
	for i, list := range candidates.within(a, 1, nil, keys) {
		rows = append(rows, -1)
		if len(list) > 0 && list[0].Key < math.Inf(1) {
			rows[i] = int32(list[0].Row)
		}
	}
	return rows, keys, nil
}
