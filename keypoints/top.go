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
	rows := make([]int, s.Len())
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(by.of(s.Keypoints[b]), by.of(s.Keypoints[a])), cmp.Compare(a, b))
	})
	return rows[:max(0, min(n, len(rows)))]
}
