package keypoints

import "slices"

// SpacedRows returns, in ascending order, the rows that greedy spacing keeps:
// keypoints are visited by descending response, ties by row, and a keypoint is
// dropped if it is closer than minDistance, in px, to one already kept.
// Keypoints whose position is not finite are dropped.
func (s Set) SpacedRows(minDistance float64) []int {
	index := IndexOf(s.Keypoints, minDistance)
	dropped := make([]bool, s.Len())
	rows := make([]int, 0, s.Len())
	for _, row := range s.TopRows(s.Len(), ByResponse) {
		k := s.Keypoints[row]
		x, y := float64(k.X), float64(k.Y)
		if dropped[row] || !finite(x) || !finite(y) {
			continue
		}
		rows = append(rows, row)
		for _, near := range index.Within(x, y) {
			k := s.Keypoints[near]
			dropped[near] = dropped[near] || Distance(x, y, float64(k.X), float64(k.Y)) < minDistance
		}
	}
	slices.Sort(rows)
	return rows
}
