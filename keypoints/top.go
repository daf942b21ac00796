package keypoints

import (
	"cmp"
	"fmt"
	"slices"
)

// fewAlike is a number of keypoints that may all have one response, such as those of one
// position with several orientations.
const fewAlike = 10

// CheckTop returns an error if n of the keypoints are to be selected by the response and
// it does not tell them apart: all are 0, or all of more than a few are equal.
func (s Set) CheckTop(n int, by Measure) error {
	if by != ByResponse || s.Len() <= n {
		return nil
	}
	first := s.Keypoints[0].Response
	if first != 0 && s.Len() <= fewAlike || slices.ContainsFunc(s.Keypoints, func(k Keypoint) bool { return k.Response != first }) {
		return nil
	}
	return fmt.Errorf("all %d keypoints have the response %g, so the best are not known; give scores with the keypoints, or select by another measure", s.Len(), first)
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
