package keypoints

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// An Index finds the points near a position in the plane. Its points are sorted by x, and
// a search stops where x alone is too far: it compares a position with the points of a
// narrow strip of the image, or with all of them if they are in one column.
type Index struct {
	radius float64
	bound  float64 // of squared distances to search; more than the radius allows
	points []point // by x
}

type point struct {
	x, y float64
	row  int32
}

// NewIndex returns an index of n points to search within the radius, which may
// be +Inf. at(row) is the point of a row, 0 to n-1. Points that are not finite
// are never found.
func NewIndex(radius float64, n int, at func(row int) (x, y float64)) *Index {
	ix := &Index{radius: radius}
	if !(radius >= 0) {
		return ix // no point can be within this radius
	}
	// The margin is larger than the rounding errors of squares and roots.
	reach := math.Nextafter(radius*(1+1e-12), math.Inf(1))
	ix.bound = math.Nextafter(reach*reach, math.Inf(1))
	ix.points = make([]point, 0, n)
	for row := range n {
		if x, y := at(row); finite(x) && finite(y) {
			ix.points = append(ix.points, point{x, y, int32(row)})
		}
	}
	slices.SortFunc(ix.points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	return ix
}

// IndexOf returns an index of the positions of keypoints.
func IndexOf(points []Keypoint, radius float64) *Index {
	return NewIndex(radius, len(points), func(row int) (x, y float64) { return float64(points[row].X), float64(points[row].Y) })
}

// Nearest returns the row of the point nearest to (x, y) and its Distance. Of
// equally near points it returns the lowest row. It returns -1 and +Inf if no
// point is within the radius or if (x, y) is not finite.
func (ix *Index) Nearest(x, y float64) (row int32, distance float64) {
	row, best := int32(-1), ix.bound
	if !finite(x) || !finite(y) {
		return -1, math.Inf(1)
	}
	middle := sort.Search(len(ix.points), func(i int) bool { return ix.points[i].x >= x })
	for _, way := range [...]struct{ from, step int }{{middle, 1}, {middle - 1, -1}} {
		for i := way.from; i >= 0 && i < len(ix.points); i += way.step {
			p := &ix.points[i]
			if squaredDistance(x, 0, p.x, 0) > best {
				break // no later point is nearer than its column, rounding included
			}
			if d := squaredDistance(x, y, p.x, p.y); d < best || d == best && p.row < row {
				row, best = p.row, d
			}
		}
	}
	if d := math.Sqrt(best); row >= 0 && d <= ix.radius {
		return row, d
	}
	return -1, math.Inf(1)
}

// Within returns the rows of the points whose Distance from (x, y) is at most the radius,
// in ascending order.
func (ix *Index) Within(x, y float64) []int32 {
	near := func(i int) bool { return squaredDistance(x, 0, ix.points[i].x, 0) <= ix.bound }
	from := sort.Search(len(ix.points), func(i int) bool { return ix.points[i].x >= x || near(i) })
	var rows []int32
	for i := from; i < len(ix.points) && near(i); i++ {
		if p := &ix.points[i]; Distance(x, y, p.x, p.y) <= ix.radius {
			rows = append(rows, p.row)
		}
	}
	slices.Sort(rows)
	return rows
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

func finite(v float64) bool { return v-v == 0 }
