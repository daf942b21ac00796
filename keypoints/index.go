package keypoints

import "math"

// An Index finds the nearest of many points in the plane. It is a k-d tree (Bentley,
// CACM 1975) that halves the longer side of each cell, unless all points are in one
// half: then that of their bounding box (after Maneewongvatana and Mount, 1999). Far
// outliers, dense clusters, points on one line and points at one position cost
// little. A grid of equal square cells cannot offer that.
//
// Construction takes O(n log n) steps for n points, unless their distances differ by
// many orders of magnitude. Memory is O(n) wherever the points are.
type Index struct {
	radius float64
	bound  float64 // of squared distances to search; more than the radius allows
	nodes  []node  // the first is the root
	points []point
}

// A node is a part of the points: a leaf, or two nodes on either side of a line.
type node struct {
	axis  int32    // 0 for a line at an x, 1 for one at a y, 2 for a leaf
	parts [2]int32 // the nodes up to and beyond the line; of a leaf: its first point, and the first after it
	split float64  // the coordinate of the line
}

type point struct {
	at  [2]float64
	row int32
}

// mostInLeaf balances the cost of leaves and of nodes.
const mostInLeaf = 16

const leaf = 2

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
			ix.points = append(ix.points, point{[2]float64{x, y}, int32(row)})
		}
	}
	if len(ix.points) > 0 {
		ix.build(0, int32(len(ix.points)), boundsOf(ix.points))
	}
	return ix
}

// bounds are the lowest and the highest coordinates by axis.
type bounds struct{ low, high [2]float64 }

func boundsOf(points []point) bounds {
	b := bounds{points[0].at, points[0].at}
	for i := range points {
		for axis, v := range points[i].at {
			if v < b.low[axis] {
				b.low[axis] = v
			}
			if v > b.high[axis] {
				b.high[axis] = v
			}
		}
	}
	return b
}

// build appends the nodes of points first to last-1, of which there is at least one,
// all within the bounds.
func (ix *Index) build(first, last int32, within bounds) {
	number := len(ix.nodes)
	ix.nodes = append(ix.nodes, node{axis: leaf, parts: [2]int32{first, last}})
	if last-first <= mostInLeaf {
		return
	}
	points := ix.points[first:last]
	axis, split, middle := halve(points, within)
	if middle == 0 || middle == last-first {
		within = boundsOf(points)
		if within.low == within.high {
			// Among points at the same position only the lowest row can be the answer.
			for _, p := range points {
				points[0].row = min(points[0].row, p.row)
			}
			ix.nodes[number].parts[1] = first + 1
			return
		}
		axis, split, middle = halve(points, within)
	}
	lower, upper := within, within
	lower.high[axis], upper.low[axis] = split, split
	ix.build(first, first+middle, lower)
	ix.nodes[number] = node{int32(axis), [2]int32{int32(number) + 1, int32(len(ix.nodes))}, split}
	ix.build(first+middle, last, upper)
}

// halve splits the longer side of the bounds and moves the points up to there, middle
// of them, before the others. If the bounds are those of the points and not a single
// position, there are points on both sides.
func halve(points []point, within bounds) (axis int, split float64, middle int32) {
	low, high := within.low, within.high
	if high[1]-low[1] > high[0]-low[0] {
		axis = 1
	}
	split = low[axis]/2 + high[axis]/2
	if split >= high[axis] {
		split = low[axis] // there is no number between them
	}
	for i, p := range points {
		points[i], points[middle] = points[middle], p
		if p.at[axis] <= split {
			middle++
		}
	}
	return axis, split, middle
}

// Nearest returns the row of the point nearest to (x, y) and its Distance. Of
// equally near points it returns the lowest row. It returns -1 and +Inf if no
// point is within the radius or if (x, y) is not finite.
func (ix *Index) Nearest(x, y float64) (row int32, distance float64) {
	if !finite(x) || !finite(y) || len(ix.nodes) == 0 {
		return -1, math.Inf(1)
	}
	row, squared := int32(-1), ix.bound
	at := [2]float64{x, y}
	next := make([]beyond, 1, 32) // the root, beyond nothing
	for len(next) > 0 {
		last := next[len(next)-1]
		next = next[:len(next)-1]
		if last.squared > squared {
			continue
		}
		n := &ix.nodes[last.node]
		for n.axis != leaf {
			v, side := at[n.axis&1], 0
			if v > n.split {
				side = 1
			}
			// No point beyond the line is nearer than the line itself, rounding included.
			next = append(next, beyond{n.parts[1-side], squaredDistance(v, 0, n.split, 0)})
			n = &ix.nodes[n.parts[side]]
		}
		for _, p := range ix.points[n.parts[0]:n.parts[1]] {
			if d := squaredDistance(x, y, p.at[0], p.at[1]); d <= squared && (d < squared || p.row < row) {
				row, squared = p.row, d
			}
		}
	}
	if d := math.Sqrt(squared); row >= 0 && d <= ix.radius {
		return row, d
	}
	return -1, math.Inf(1)
}

// beyond is a node that a search may have to visit, and the squared distance of the
// line before it.
type beyond struct {
	node    int32
	squared float64
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
