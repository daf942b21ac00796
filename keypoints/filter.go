package keypoints

import "slices"

// RowsBetween returns, in ascending order, the rows of the keypoints whose
// measure is at least low and at most high. Both bounds may be infinite. NaN is
// never in range.
func (s Set) RowsBetween(by Measure, low, high float64) []int {
	return s.rowsWhere(func(k Keypoint) bool { v := by.of(k); return low <= v && v <= high })
}

func (s Set) rowsWhere(keep func(Keypoint) bool) []int {
	rows := make([]int, 0, s.Len())
	for i, k := range s.Keypoints {
		if keep(k) {
			rows = append(rows, i)
		}
	}
	return rows
}

// RandomRows returns n rows drawn without replacement, in ascending order, or
// all rows if the set has at most n. sample(total, n) draws n different numbers
// from 0 to total-1.
func (s Set) RandomRows(n int, sample func(total, n int) []int) []int {
	rows := sample(s.Len(), max(0, min(n, s.Len())))
	slices.Sort(rows)
	return rows
}
