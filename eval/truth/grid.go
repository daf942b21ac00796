package truth

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"descbench/keypoints"
)

// A grid divides the plane into horizontal strips as high as the search radius
// and holds those that have points, the points of each ordered along x. A
// search visits the strips that its circle touches, in each from the centre
// outwards until x alone is further than the best point. So neither far
// outliers (empty strips do not exist) nor crowds (few of their points are
// looked at) cost much, which square cells of one size cannot offer both.
type grid struct {
	radius float64
	strips []strip // by number
}

type strip struct {
	number float64 // whole; not an integer type, for far outliers
	points []point // by x, y
}

type point struct {
	x, y float64
	row  int32
}

// newGrid returns a grid to search for candidates within the radius.
func newGrid(candidates []keypoints.Keypoint, radius float64) *grid {
	g := &grid{radius: radius}
	if !(radius >= 0) {
		return g // nothing is within such a radius
	}
	points := make([]point, 0, len(candidates))
	for i, c := range candidates {
		if x, y := float64(c.X), float64(c.Y); finite(x) && finite(y) {
			points = append(points, point{x, y, int32(i)})
		}
	}
	slices.SortFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(g.number(a.y), g.number(b.y)), cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y), cmp.Compare(a.row, b.row))
	})
	// Of the points at one position only the lowest row can be an answer.
	points = slices.CompactFunc(points, func(a, b point) bool { return a.x == b.x && a.y == b.y })
	for len(points) > 0 {
		number := g.number(points[0].y)
		n := sort.Search(len(points), func(i int) bool { return g.number(points[i].y) > number })
		g.strips = append(g.strips, strip{number, points[:n]})
		points = points[n:]
	}
	return g
}

// number returns the number of the strip that y lies in. It does not decrease
// as y grows, for division and rounding do not.
func (g *grid) number(y float64) float64 {
	if math.IsInf(g.radius, 1) {
		return 0
	}
	return math.Floor(y / math.Max(g.radius, 1))
}

// nearest returns the row of the point nearest to (x, y), the lowest of
// equally near ones, and its squared distance, or the row -1 if there is none
// within the radius. It may return one a rounding error beyond.
func (g *grid) nearest(x, y float64) (row int32, squared float64) {
	// The margins outweigh the rounding of squares, roots and differences.
	reach := math.Nextafter(g.radius*(1+1e-12), math.Inf(1))
	best := found{row: -1, squared: math.Nextafter(reach*reach, math.Inf(1))}
	low := g.number(math.Nextafter(y-reach, math.Inf(-1)))
	high := g.number(math.Nextafter(y+reach, math.Inf(1)))
	first := sort.Search(len(g.strips), func(i int) bool { return g.strips[i].number >= low })
	for _, s := range g.strips[first:] {
		if s.number > high {
			break
		}
		best.search(s.points, x, y)
	}
	return best.row, best.squared
}

// found is the best point of a search so far, or the bound it starts from.
type found struct {
	row     int32
	squared float64
}

// search looks through the points, which are ordered along x, for better ones.
func (f *found) search(points []point, x, y float64) {
	from := sort.Search(len(points), func(i int) bool { return points[i].x >= x })
	for i := from; i < len(points) && f.consider(points[i], x, y); i++ {
	}
	for i := from - 1; i >= 0 && f.consider(points[i], x, y); i-- {
	}
}

// consider takes the point if it is better. It reports whether a point further
// along x, in the same direction, may be better still.
func (f *found) consider(p point, x, y float64) bool {
	if squaredDistance(x, 0, p.x, 0) > f.squared {
		return false
	}
	d := squaredDistance(x, y, p.x, p.y)
	if d < f.squared || d == f.squared && p.row < f.row {
		f.row, f.squared = p.row, d
	}
	return true
}
