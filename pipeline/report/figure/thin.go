package figure

import "math"

// drawnSteps is the number of positions that a figure distinguishes along an
// axis: a twentieth of a point at page width.
const drawnSteps = 10000.

// pageSteps is that number on pages, whose figures of many systems must not be large.
const pageSteps = 1000.

// thin removes points of a curve that change no position on axes with ranges by
// more than one of the given number of steps along an axis. It keeps the first and
// the last point.
//
// Source: Douglas and Peucker, Algorithms for the reduction of the number of
// points required to represent a digitized line or its caricature, 1973.
func thin(points []Point, x, y Axis, steps float64) []Point {
	if len(points) < 3 {
		return points
	}
	at := make([]Point, len(points))
	for i, p := range points {
		at[i] = Point{x.place(p.X) * steps, y.place(p.Y) * steps}
	}
	keep := make([]bool, len(points))
	keep[0], keep[len(points)-1] = true, true
	ranges := [][2]int{{0, len(points) - 1}}
	for len(ranges) > 0 {
		from, to := ranges[len(ranges)-1][0], ranges[len(ranges)-1][1]
		ranges = ranges[:len(ranges)-1]
		far, distance := 0, 1.0
		for i := from + 1; i < to; i++ {
			if d := distanceToSegment(at[i], at[from], at[to]); d > distance {
				far, distance = i, d
			}
		}
		if far != 0 {
			keep[far] = true
			ranges = append(ranges, [2]int{from, far}, [2]int{far, to})
		}
	}
	var kept []Point
	for i, p := range points {
		if keep[i] {
			kept = append(kept, p)
		}
	}
	return kept
}

// distanceToSegment returns the distance of p from the segment ab.
func distanceToSegment(p, a, b Point) float64 {
	px, py, bx, by := p.X-a.X, p.Y-a.Y, b.X-a.X, b.Y-a.Y
	t := 0.0
	if length := bx*bx + by*by; length > 0 {
		t = min(max((px*bx+py*by)/length, 0), 1)
	}
	return math.Hypot(px-t*bx, py-t*by)
}
