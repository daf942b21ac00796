package matching

import (
	"math"

	"descbench/keypoints"
)

// gridSide is the number of grid cells along each axis of an image.
const gridSide = 8

// Spread returns how evenly keypoints cover an image of the given size in pixels:
// the entropy in bits of their distribution over a grid of 8×8 equal cells, divided
// by its maximum of 6. It is 0 if all keypoints are in one cell, 1 if all cells hold
// the same number, and NaN without keypoints.
//
// The image extends from −½ to width−½ and height−½, because pixel centres have
// integer coordinates. Keypoints outside count in the nearest cell. Keypoints with a
// NaN position are ignored.
func Spread(points []keypoints.Keypoint, width, height int) float64 {
	var cells [gridSide][gridSide]int
	n := 0
	for _, k := range points {
		column, ok1 := cellOf(k.X, width)
		row, ok2 := cellOf(k.Y, height)
		if ok1 && ok2 {
			cells[row][column]++
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	bits := 0.0
	for _, row := range cells {
		for _, count := range row {
			if count > 0 {
				bits += float64(float64(count) / float64(n) * math.Log2(float64(n)/float64(count)))
			}
		}
	}
	return bits / math.Log2(gridSide*gridSide)
}

// cellOf returns the index of the cell that contains a coordinate.
func cellOf(v float32, size int) (cell int, ok bool) {
	position := math.Floor(gridSide * (float64(v) + 0.5) / float64(size))
	if math.IsNaN(position) {
		return 0, false
	}
	return int(min(max(position, 0), gridSide-1)), true
}
