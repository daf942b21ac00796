package nearest

import (
	"context"
	"math"
)

// A key orders candidates from a query's point of view, or queries from a
// candidate's: smaller is nearer, equal is exactly as near. Keys are squared or
// Hamming distances (int32, float64) or negated cosines (float64).
type key interface{ int32 | float64 }

// rowState is the search state of one query. The C kernels share its layout
// (nn_row_int, nn_row_unit).
type rowState[K key] struct {
	scale               K // the query's own term of a key; see arithmetic
	truth               K // key of the ground truth
	first, second       K // keys of the two nearest so far
	firstRow, secondRow int32
	less, equal         int32 // number of keys below and equal to truth; equal includes the truth itself
}

// rank compares a candidate with the truth and counts it.
func (r *rowState[K]) rank(k K) {
	if k < r.truth {
		r.less++
	} else if k == r.truth {
		r.equal++
	}
}

// enter keeps the candidate if it is one of the two nearest. Candidates come in
// ascending order, so the lower row wins a tie.
func (r *rowState[K]) enter(k K, candidate int32) {
	switch {
	case k < r.first:
		r.second, r.secondRow = r.first, r.firstRow
		r.first, r.firstRow = k, candidate
	case k < r.second:
		r.second, r.secondRow = k, candidate
	}
}

// columns holds the nearest query of every candidate so far. Both slices are padded to a
// multiple of maxPanel.
type columns[K key] struct {
	best []K
	row  []int32
}

// enter keeps the query if it is the candidate's nearest. The lower row wins a tie.
func (c columns[K]) enter(k K, candidate int, query int32) {
	if best := c.best[candidate]; k < best || k == best && query < c.row[candidate] {
		c.best[candidate], c.row[candidate] = k, query
	}
}

// A tile is a block of queries times a run of candidates short enough to stay
// in the cache. Both count valid rows.
type tile struct {
	row0, rows int
	col0, cols int
	stride     int // distance between the tile's rows in memory
}

// A fold merges the pairs of one tile into the queries' states and the columns.
type fold[K key] func(t tile, c columns[K])

// run folds all tiles, then writes the result. distance returns the distance of
// valid query i and valid candidate j from their key.
func run[K key](ctx context.Context, s *search, rows []rowState[K], stride int, foldTile fold[K],
	distance func(k K, i, j int) float64) error {
	least, most := limits[K]()
	for i := range rows {
		r := &rows[i]
		r.first, r.second, r.firstRow, r.secondRow = most, most, -1, -1
		if s.truth[i] < 0 {
			r.truth = least
		}
	}
	n := s.candidates.len()
	c := newColumns[K](n)
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

// limits returns a key below and a key above all possible keys.
func limits[K key]() (least, most K) {
	switch p := any(&least).(type) {
	case *int32:
		*p, *any(&most).(*int32) = math.MinInt32, math.MaxInt32
	case *float64:
		*p, *any(&most).(*float64) = math.Inf(-1), math.Inf(1)
	}
	return least, most
}

func newColumns[K key](n int) columns[K] {
	_, most := limits[K]()
	c := columns[K]{best: make([]K, padded(n)), row: make([]int32, padded(n))}
	for j := range c.best {
		c.best[j], c.row[j] = most, -1
	}
	return c
}

func writeResult[K key](s *search, rows []rowState[K], nearestQuery []int32, distance func(k K, i, j int) float64) {
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
