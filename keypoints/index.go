package keypoints

import (
	"math"
	"slices"
	"sort"
)

// An Index finds the nearest of many points in the plane. It divides the plane
// into horizontal strips as high as the search radius and stores only the
// strips that contain points, sorted along x within each strip. A search visits
// the strips that overlap its circle and scans each from the centre outwards
// until the x distance alone exceeds the best distance. Neither far outliers
// (empty strips are not stored) nor dense clusters (only few of their points
// are visited) are expensive. A grid of equal square cells cannot offer both.
//
// Construction takes O(n log n) steps. Memory is O(n) wherever the points are.
type Index struct {
	radius float64
	strips []strip // by number
}

type strip struct {
	number float64 // whole; not an integer type, for far outliers
	points []point // by x, y
}

type point struct {
	x, y   float64
	number float64 // of its strip
	row    int32
}

// before compares the places of points in the order of strips.
func (p *point) before(q *point) bool {
	switch {
	case p.number != q.number:
		return p.number < q.number
	case p.x != q.x:
		return p.x < q.x
	case p.y != q.y:
		return p.y < q.y
	}
	return p.row < q.row
}

// NewIndex returns an index of n points to search within the radius, which may
// be +Inf. at(row) is the point of a row, 0 to n-1. Points that are not finite
// are never found.
func NewIndex(radius float64, n int, at func(row int) (x, y float64)) *Index {
	ix := &Index{radius: radius}
	if !(radius >= 0) {
		return ix // no point can be within this radius
	}
	points := make([]point, 0, n)
	for row := range n {
		if x, y := at(row); finite(x) && finite(y) {
			points = append(points, point{x, y, ix.number(y), int32(row)})
		}
	}
	slices.SortFunc(points, func(a, b point) int {
		if a.before(&b) {
			return -1
		}
		return 1 // no two are equal
	})
	// Among points at the same position only the lowest row can be the answer.
	points = slices.CompactFunc(points, func(a, b point) bool { return a.x == b.x && a.y == b.y })
	for len(points) > 0 {
		number := points[0].number
		n := sort.Search(len(points), func(i int) bool { return points[i].number > number })
		ix.strips = append(ix.strips, strip{number, points[:n]})
		points = points[n:]
	}
	return ix
}

// number returns the number of the strip that contains y. It does not decrease
// as y grows, because division and rounding are monotonic.
func (ix *Index) number(y float64) float64 {
	if math.IsInf(ix.radius, 1) {
		return 0
	}
	return math.Floor(y / math.Max(ix.radius, 1))
}

// Nearest returns the row of the point nearest to (x, y) and its Distance. Of
// equally near points it returns the lowest row. It returns -1 and +Inf if no
// point is within the radius or if (x, y) is not finite.
func (ix *Index) Nearest(x, y float64) (row int32, distance float64) {
	if !finite(x) || !finite(y) {
		return -1, math.Inf(1)
	}
	// The margin is larger than the rounding errors of squares, roots and
	// differences.
	reach := math.Nextafter(ix.radius*(1+1e-12), math.Inf(1))
	best := found{row: -1, squared: math.Nextafter(reach*reach, math.Inf(1))}
	low := ix.number(math.Nextafter(y-reach, math.Inf(-1)))
	high := ix.number(math.Nextafter(y+reach, math.Inf(1)))
	first := sort.Search(len(ix.strips), func(i int) bool { return ix.strips[i].number >= low })
	for _, s := range ix.strips[first:] {
		if s.number > high {
			break
		}
		best.search(s.points, x, y)
	}
	if d := math.Sqrt(best.squared); best.row >= 0 && d <= ix.radius {
		return best.row, d
	}
	return -1, math.Inf(1)
}

// found is the best point of a search so far, or the bound it starts from.
type found struct {
	row     int32
	squared float64
}

// search scans the points, which are sorted along x, for better ones.
func (f *found) search(points []point, x, y float64) {
	from, end := 0, len(points) // the first point at x or beyond is in [from, end]
	for from < end {
		if middle := int(uint(from+end) / 2); points[middle].x < x {
			from = middle + 1
		} else {
			end = middle
		}
	}
	for i := from; i < len(points) && f.consider(points[i], x, y); i++ {
	}
	for i := from - 1; i >= 0 && f.consider(points[i], x, y); i-- {
	}
}

// consider takes the point if it is better. It reports whether a point further
// along x in the same direction can still be better.
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

// Distance returns the Euclidean distance between (x, y) and (u, v), which is
// the same in both directions. It returns +Inf or NaN if the squared distance
// is not finite.
func Distance(x, y, u, v float64) float64 { return math.Sqrt(squaredDistance(x, y, u, v)) }

// squaredDistance is the one expression by which all distances are compared.
// Its conversions keep compilers from fusing the products into the sum, so that
// equal distances stay equal wherever it is inlined.
func squaredDistance(x, y, u, v float64) float64 {
	dx, dy := u-x, v-y
	return float64(dx*dx) + float64(dy*dy)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
