package keypoints

import (
	"cmp"
	"fmt"
	"slices"
)

// CheckTop returns an error if n of the keypoints are to be selected by the response and
// none has one: all are 0.
func (s Set) CheckTop(n int, by Measure) error {
	if by != ByResponse || s.Len() <= n || slices.ContainsFunc(s.Keypoints, func(k Keypoint) bool { return k.Response != 0 }) {
		return nil
	}
	return fmt.Errorf("all %d keypoints have the response 0, so the best are not known; give scores with the keypoints, or select by another measure", s.Len())
}

// TopRows returns the rows of the n keypoints with the largest measure, in
// descending order, ties by row. If the set has at most n keypoints it returns
// all rows in this order. NaN sorts last.
func (s Set) TopRows(n int, by Measure) []int {
	ranked := make([]measured, s.Len())
	for i, k := range s.Keypoints {
		ranked[i] = measured{by.of(k), i}
	}
	slices.SortFunc(ranked, measured.compare)
	rows := make([]int, max(0, min(n, len(ranked))))
	for i := range rows {
		rows[i] = ranked[i].row
	}
	return rows
}

// A measured is one keypoint in a ranking.
type measured struct {
	value float64
	row   int
}

// compare orders by value, descending, NaN last, then by row. The order is
// total, so it does not depend on the sorting algorithm.
func (a measured) compare(b measured) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.row, b.row))
}
