package keypoints

import (
	"math"
	"slices"
)

// SpacedRows returns, in ascending order, the rows that greedy spacing keeps:
// keypoints are visited by descending response, ties by row, and a keypoint is
// dropped if it is closer than minDistance, in px, to one already kept.
// Keypoints whose position is not finite are dropped. It takes O(n log n)
// steps.
func (s Set) SpacedRows(minDistance float64) []int {
	taken := newSpacing(minDistance)
	rows := make([]int, 0, s.Len())
	for _, row := range s.TopRows(s.Len(), ByResponse) {
		if taken.take(float64(s.Keypoints[row].X), float64(s.Keypoints[row].Y)) {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows)
	return rows
}

// A spacing holds points that are at least a given distance apart, grouped by
// the grid cell that contains them. A cell never holds more than four points.
//
// Cells are wider than the distance by a millionth. Points closer than the
// distance are therefore in the same cell or in neighbouring cells, however
// their coordinates are rounded: below 2³¹ cells rounding moves the edge of a
// cell by less than that millionth, and beyond 2²⁴ cells only equal float32
// values are closer than a cell.
type spacing struct {
	distance, side float64
	cells          map[cell][]cell // cell → points in it
}

// A cell is a pair of numbers: grid indices or coordinates. Grid indices are
// not integers because outliers may be far away.
type cell struct{ x, y float64 }

func newSpacing(distance float64) *spacing {
	return &spacing{distance: distance, side: distance * (1 + 1e-6), cells: map[cell][]cell{}}
}

// take adds the point unless another point is closer than the distance or the
// point is not finite. It reports whether it added the point.
func (s *spacing) take(x, y float64) bool {
	if math.IsNaN(x-x) || math.IsNaN(y-y) {
		return false
	}
	if s.distance <= 0 {
		return true // no point is closer than that
	}
	home := cell{math.Floor(x / s.side), math.Floor(y / s.side)}
	for dy := -1.0; dy <= 1; dy++ {
		for dx := -1.0; dx <= 1; dx++ {
			for _, p := range s.cells[cell{home.x + dx, home.y + dy}] {
				if Distance(p.x, p.y, x, y) < s.distance {
					return false
				}
			}
		}
	}
	s.cells[home] = append(s.cells[home], cell{x, y})
	return true
}
