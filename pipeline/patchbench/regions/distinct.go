package regions

import (
	"math"
	"slices"
)

// Distinct returns the indexes of regions that do not overlap too much. It visits
// the regions in the given order and skips a region if its ellipse overlaps the
// ellipse of an earlier accepted region by more than overlap (intersection over
// union). The regions are squares, so their ellipses are circles.
func Distinct(all []Region, order []int, overlap float64) []int {
	var taken []int
	for _, i := range order {
		if !slices.ContainsFunc(taken, func(j int) bool { return circleOverlap(all[i], all[j]) > overlap }) {
			taken = append(taken, i)
		}
	}
	return taken
}

// circleOverlap returns the intersection over union of the circles of two
// squares; the intersection is a lens.
func circleOverlap(a, b Region) float64 {
	r, s := a.radius(), b.radius()
	if r < s {
		r, s = s, r
	}
	dx, dy := a.X-b.X, a.Y-b.Y
	square := dx*dx + dy*dy
	if square >= (r+s)*(r+s) {
		return 0
	}
	d := math.Sqrt(square)
	if d <= r-s { // one inside the other; exactly 1 if they are equal
		return s * s / (r * r)
	}
	// Half the angles that the lens spans at the two centres.
	alpha := math.Acos(max(-1, min(1, (square+r*r-s*s)/(2*d*r))))
	beta := math.Acos(max(-1, min(1, (square+s*s-r*r)/(2*d*s))))
	lens := r*r*(alpha-math.Sin(2*alpha)/2) + s*s*(beta-math.Sin(2*beta)/2)
	return lens / (math.Pi*(r*r+s*s) - lens)
}
