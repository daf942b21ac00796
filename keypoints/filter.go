package keypoints

import "slices"

// RowsBetween returns the rows of the keypoints that measure at least low and at
// most high, which may be infinite, in their order. NaN is not between.
func (s Set) RowsBetween(by Measure, low, high float64) []int {
	rows := make([]int, 0, s.Len())
	for i, k := range s.Keypoints {
		if v := by.of(k); low <= v && v <= high {
			rows = append(rows, i)
		}
	}
	return rows
}

// RandomRows returns n rows drawn without replacement, in their order; all of
// them if there are no more than n. sample(total, n) draws n different numbers
// from 0 to total-1.
func (s Set) RandomRows(n int, sample func(total, n int) []int) []int {
	rows := sample(s.Len(), max(0, min(n, s.Len())))
	slices.Sort(rows)
	return rows
}
