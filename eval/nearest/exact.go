package nearest

import (
	"context"
	"math"
	"slices"
)

// A rowState is the search state of one query. A key orders candidates from its point of view:
// smaller is nearer, equal is exactly as near. The C kernels share its layout (nn_row).
type rowState struct {
	factor, base        float64 // of rows of integers; see terms
	truth               float64 // key of the ground truth; -Inf without one
	first, second       float64 // keys of the two nearest so far
	firstRow, secondRow int32
	less, equal         int32 // number of keys below and equal to truth; equal includes the truth itself
}

// rank compares a candidate with the truth and counts it.
func (r *rowState) rank(key float64) {
	if key < r.truth {
		r.less++
	} else if key == r.truth {
		r.equal++
	}
}

// enter keeps the candidate if it is one of the two nearest. Candidates come in
// ascending order, so the lower row wins a tie.
func (r *rowState) enter(key float64, candidate int32) {
	switch {
	case key < r.first:
		r.second, r.secondRow = r.first, r.firstRow
		r.first, r.firstRow = key, candidate
	case key < r.second:
		r.second, r.secondRow = key, candidate
	}
}

// columns holds the nearest query of every candidate so far, and its key from the candidate's
// point of view. Both slices are padded to a multiple of maxPanel by candidates that no query is near.
type columns struct {
	best []float64
	row  []int32
}

func newColumns(n int) columns {
	c := columns{best: slices.Repeat([]float64{math.Inf(-1)}, padded(n)), row: slices.Repeat([]int32{-1}, padded(n))}
	for j := range n {
		c.best[j] = math.Inf(1)
	}
	return c
}

// enter keeps the query if it is the candidate's nearest. The lower row wins a tie.
func (c columns) enter(key float64, candidate int, query int32) {
	if best := c.best[candidate]; key < best || key == best && query < c.row[candidate] {
		c.best[candidate], c.row[candidate] = key, query
	}
}

// A tile is a block of queries times a run of candidates short enough to stay
// in the cache. Both count valid rows.
type tile struct {
	row0, rows int
	col0, cols int
	stride     int // distance between the tile's rows in memory
}

// run merges the pairs of all tiles into the queries' states and the columns by foldTile, then writes
// the result. distance returns the distance of valid query i and valid candidate j from their key.
func run(ctx context.Context, s *search, rows []rowState, stride int, foldTile func(tile, columns), distance func(key float64, i, j int) float64) error {
	for i := range rows {
		r := &rows[i]
		r.first, r.second, r.firstRow, r.secondRow = math.Inf(1), math.Inf(1), -1, -1
		if s.truth[i] < 0 {
			r.truth = math.Inf(-1)
		}
	}
	n := s.candidates.len()
	c := newColumns(n)
	for row := 0; row < len(rows); row += blockRows {
		for col := 0; col < n; col += stride {
			if err := ctx.Err(); err != nil {
				return err
			}
			foldTile(tile{row0: row, rows: min(blockRows, len(rows)-row), col0: col, cols: min(stride, n-col), stride: stride}, c)
		}
	}
	writeResult(s, rows, c.row, distance)
	return ctx.Err()
}

func writeResult(s *search, rows []rowState, nearestQuery []int32, distance func(key float64, i, j int) float64) {
	res := s.result
	for i := range rows {
		r, row := &rows[i], s.queries.index[i]
		if s.truth[i] >= 0 {
			res.Less[row], res.Equal[row] = r.less, r.equal-1
		}
		if r.firstRow < 0 {
			continue
		}
		res.Nearest[row] = s.candidates.index[r.firstRow]
		res.NearestDistance[row] = distance(r.first, i, int(r.firstRow))
		res.Mutual[row] = nearestQuery[r.firstRow] == int32(i)
		if r.secondRow < 0 {
			continue
		}
		res.Second[row] = s.candidates.index[r.secondRow]
		// Keys order the two; rounding of the distances must not reverse the
		// order.
		res.SecondDistance[row] = max(distance(r.second, i, int(r.secondRow)), res.NearestDistance[row])
	}
}
