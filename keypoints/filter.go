package keypoints

import (
	"slices"

	"descbench/keypoints/draw"
)

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

// RandomRows returns n rows drawn without replacement, each choice of n as
// likely as any other, in their order; all of them if there are no more than n.
// The choice depends on the seed, the scene's name, the image's number and the
// number of keypoints alone.
func (s Set) RandomRows(n int, seed uint64, scene string, image int) []int {
	n = max(0, min(n, s.Len()))
	rows := draw.New(seed, "random keypoints", scene, image).Sample(s.Len(), n)
	slices.Sort(rows)
	return rows
}
