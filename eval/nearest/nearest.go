// Package nearest ranks descriptors. For every query it counts the candidates
// nearer than its ground truth, finds the two nearest candidates, and reports
// whether the query and its nearest candidate are mutual nearest neighbours.
// The results are exact and the same for every kernel. Callers search several
// matrices at once; a search itself uses one processor.
//
// It needs neither a sort nor a distance matrix. Queries and candidates are
// processed tile by tile. A tile's dot products stay in the cache, and d² =
// |a|² + |b|² − 2a·b turns them into counts and minima immediately. The
// canonical distance decides (file canonical.go). Faster arithmetic on float32
// rows decides only outside its proven error bound (file bounded.go).
//
// Measure returns single distances, which agree with those of Search to the last bit.
package nearest

import (
	"context"
	"math"

	"descbench/descriptors"
)

// A Result holds one entry per query in each of its slices. Row numbers refer
// to the matrices searched.
type Result struct {
	// Less and Equal count the candidates other than the truth that are nearer
	// than it, and exactly as near. Both are 0 without a truth. If the query or
	// the truth is invalid, Less is candidates-1 and Equal is 0.
	Less, Equal []int32
	// Nearest and Second are the two nearest valid candidates, the lower row
	// first on ties. They are -1 if there is no such candidate or the query is
	// invalid.
	Nearest, Second []int32
	// NearestDistance and SecondDistance are their distances: Euclidean (of the
	// normalised rows if the matrices are UnitNorm), or the number of differing
	// bits. They are NaN if there is no such candidate.
	NearestDistance, SecondDistance []float64
	// Mutual says whether, among all valid queries, this query is the nearest
	// to its Nearest candidate. Ties go to the lower query row.
	Mutual []bool
}

// Search compares every query with every candidate. truth holds, for each
// query, the row of its ground truth among the candidates, or -1 if it has
// none; nil if no query has one.
//
// Rows with non-finite elements, and rows of zeros in UnitNorm matrices, must
// be marked invalid; otherwise Search panics. Bits beyond Dim are used as
// stored; they should be 0 in every row.
//
// Search fails if the matrices are malformed or do not fit each other. When ctx is
// done it returns ctx's error.
func Search(ctx context.Context, queries, candidates *descriptors.Matrix, truth []int32) (*Result, error) {
	return searchWith(ctx, kernels()[0], queries, candidates, truth)
}

func searchWith(ctx context.Context, k kernel, queries, candidates *descriptors.Matrix, truth []int32) (*Result, error) {
	if err := check(queries, candidates, truth); err != nil {
		return nil, err
	}
	s := newSearch(queries, candidates, truth, k)
	searchRows := searchIntegers
	if queries.Type == descriptors.Float32 {
		searchRows = searchBounded
	}
	if err := searchRows(ctx, s); err != nil {
		return nil, err
	}
	return s.result, nil
}

// A search is the input of one call of Search, reduced to valid rows, and its
// result so far.
type search struct {
	queries, candidates *validRows
	truth               []int32 // per valid query: index of its truth among the valid candidates; -1: no truth
	kernel              kernel
	result              *Result
}

func newSearch(queries, candidates *descriptors.Matrix, truth []int32, k kernel) *search {
	n := queries.Rows
	s := &search{
		queries: newValidRows(queries), candidates: newValidRows(candidates),
		kernel: k,
		result: &Result{
			Less: make([]int32, n), Equal: make([]int32, n),
			Nearest: make([]int32, n), Second: make([]int32, n),
			NearestDistance: make([]float64, n), SecondDistance: make([]float64, n),
			Mutual: make([]bool, n),
		},
	}
	s.truth = make([]int32, len(s.queries.index))
	for row := range n {
		t := int32(-1)
		if truth != nil {
			t = truth[row]
		}
		s.result.Nearest[row], s.result.Second[row] = -1, -1
		s.result.NearestDistance[row], s.result.SecondDistance[row] = math.NaN(), math.NaN()
		place := int32(-1)
		if t >= 0 {
			place = s.candidates.place[t]
		}
		query := s.queries.place[row]
		if query >= 0 {
			s.truth[query] = place
		}
		if t >= 0 && (query < 0 || place < 0) {
			s.result.Less[row] = int32(candidates.Rows - 1)
		}
	}
	return s
}
