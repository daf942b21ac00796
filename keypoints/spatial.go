package keypoints

import (
	"math"
	"slices"
)

// SpacedRows returns the rows that stay, in their order, if keypoints are taken
// by response, strongest first, equal ones by row, and each is left out that is
// nearer than minDistance, in px, to one taken before. Keypoints whose position
// is not finite are left out. It takes O(n log n) steps.
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

// A spacing holds points that are at least a distance apart, by the cell of a
// grid that they lie in: never more than four in one.
//
// Cells are wider than the distance by a millionth, so that points nearer than
// it lie in the same cell or in neighbours, however their numbers are rounded:
// below 2³¹ cells rounding moves the edge of a cell by less than that millionth,
// and beyond 2²⁴ there are no two float32 nearer than a cell but equal ones.
type spacing struct {
	distance, side float64
	cells          map[cell][]cell // cell → points in it
}

// A cell is a pair of numbers: of whole ones, or of coordinates. Not integers,
// for far outliers.
type cell struct{ x, y float64 }

func newSpacing(distance float64) *spacing {
	return &spacing{distance: distance, side: distance * (1 + 1e-6), cells: map[cell][]cell{}}
}

// take adds the point, unless there is one nearer than the distance or it is
// nowhere, and reports whether it did.
func (s *spacing) take(x, y float64) bool {
	if math.IsNaN(x-x) || math.IsNaN(y-y) {
		return false
	}
	if s.distance <= 0 {
		return true // nothing is nearer than that
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
