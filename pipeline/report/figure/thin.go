package figure

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

// drawnSteps is the number of positions that a figure distinguishes along an
// axis: a twentieth of a point at page width.
const drawnSteps = 10000

// thin removes points of a curve that change no drawn position by more than one
// step. It keeps the first and the last point.
//
// Source: Douglas and Peucker, Algorithms for the reduction of the number of
// points required to represent a digitized line or its caricature, 1973.
func thin(points plotter.XYs, stepX, stepY float64) plotter.XYs {
	if len(points) < 3 || !(stepX > 0) || !(stepY > 0) {
		return points
	}
	keep := make([]bool, len(points))
	keep[0], keep[len(points)-1] = true, true
	ranges := [][2]int{{0, len(points) - 1}}
	for len(ranges) > 0 {
		from, to := ranges[len(ranges)-1][0], ranges[len(ranges)-1][1]
		ranges = ranges[:len(ranges)-1]
		far, distance := 0, 1.0
		for i := from + 1; i < to; i++ {
			if d := distanceToSegment(points[i], points[from], points[to], stepX, stepY); d > distance {
				far, distance = i, d
			}
		}
		if far != 0 {
			keep[far] = true
			ranges = append(ranges, [2]int{from, far}, [2]int{far, to})
		}
	}
	var kept plotter.XYs
	for i, p := range points {
		if keep[i] {
			kept = append(kept, p)
		}
	}
	return kept
}

// distanceToSegment returns the distance of p from the segment ab, in steps.
func distanceToSegment(p, a, b Point, stepX, stepY float64) float64 {
	px, py := (p.X-a.X)/stepX, (p.Y-a.Y)/stepY
	bx, by := (b.X-a.X)/stepX, (b.Y-a.Y)/stepY
	t := 0.0
	if length := bx*bx + by*by; length > 0 {
		t = min(max((px*bx+py*by)/length, 0), 1)
	}
	return math.Hypot(px-t*bx, py-t*by)
}
