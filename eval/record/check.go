package record

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/scope"
)

// Records holds the consistent records of one image pair.
type Records struct {
	Pair    Pair
	Queries []Query // one per keypoint of image 1, sorted by row
}

// NewRecords returns the records of a pair and of all its queries, which may be in
// any order. It fails if the records are not those of one pair.
func NewRecords(pair Pair, queries []Query) (Records, error) {
	byRow := func(p, q Query) int { return int(p.Row) - int(q.Row) }
	if !slices.IsSortedFunc(queries, byRow) {
		queries = slices.SortedStableFunc(slices.Values(queries), byRow)
	}
	r := Records{pair, queries}
	if err := r.check(); err != nil {
		return Records{}, scope.Errorf(pair.Descriptor, pair.Scene, int(pair.K), "%w", err)
	}
	return r, nil
}

// check fails if records are missing, repeated, or of another pair, or if they would
// break what reads them. Records lie under checksums, so values that no program wrote
// are not searched for.
func (r *Records) check() error {
	p := &r.Pair
	switch {
	case p.K < 2:
		return fmt.Errorf("image 1 is paired with image %d, want 2 or more", p.K)
	case len(r.Queries) != int(p.Keypoints1):
		return fmt.Errorf("%d query records, want one for each of %d keypoints", len(r.Queries), p.Keypoints1)
	}
	for i := range r.Queries {
		q := &r.Queries[i]
		if int(q.Row) != i {
			return fmt.Errorf("found row %d, want row %d: rows are missing or repeated", q.Row, i)
		}
		if err := q.check(p); err != nil {
			return fmt.Errorf("row %d: %w", q.Row, err)
		}
	}
	return nil
}

func (q *Query) check(p *Pair) error {
	switch {
	case q.Descriptor != p.Descriptor || q.Scene != p.Scene || q.K != p.K:
		return fmt.Errorf("record of %s, %s/1_%d", q.Descriptor, q.Scene, q.K)
	case q.Nearest < -1 || q.Nearest >= p.KeypointsK:
		return fmt.Errorf("nearest neighbour is row %d of %d", q.Nearest, p.KeypointsK)
	case q.Nearest >= 0 && (math.IsInf(q.NearestDistance, 0) || math.IsNaN(q.NearestDistance) && p.Imported == ""):
		return fmt.Errorf("nearest neighbour at distance %v", q.NearestDistance)
	case q.Second >= 0 && !(q.NearestDistance >= 0 && q.NearestDistance <= q.SecondDistance && !math.IsInf(q.SecondDistance, 1)):
		return fmt.Errorf("nearest neighbour at distance %v, second nearest at %v", q.NearestDistance, q.SecondDistance)
	}
	return nil
}
