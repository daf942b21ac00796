package nearest

import (
	"errors"
	"math"
	"slices"

	"descbench/descriptors"
)

// ErrTooCoarse means that bytes are too coarse for the rows.
var ErrTooCoarse = errors.New("nearest: elements of very different size, want rows that bytes can stand for")

// NewCoarsePool returns a pool for limits within which there are few rows. It takes
// less time for float32 rows than that of NewPool, and has more slack: it compares
// them as bytes. It fails as NewPool does, or with ErrTooCoarse.
//
// If rows a and b differ by the distances e and f from a grid whose points p and q are
// nearest to them, the triangle inequality bounds the difference of |a − b| and |p − q|
// by e + f.
func NewCoarsePool(rows *descriptors.Matrix) (*Pool, error) { return newCoarsePool(rows, kernels()[0]) }

func newCoarsePool(rows *descriptors.Matrix, k kernel) (*Pool, error) {
	if rows.Type != descriptors.Float32 || rows.Dim > maxUint8Dim || checkMatrix("pool", rows) != nil {
		return newPool(rows, k)
	}
	g, fine := gridOf(rows)
	if !fine {
		return nil, ErrTooCoarse
	}
	points, off := g.nearest(rows, k.points)
	scan, greatest, step := scanOf(points, k.uint8, k.withinInt), slices.Max(off), float64(g.step)
	return &Pool{rows, func(queries *descriptors.Matrix, limits []float64, visit Visit) {
		points, off := g.nearest(queries, k.points)
		reach := func(i int) float64 {
			if limits[i] < 0 {
				return math.Inf(-1)
			}
			steps := (math.Sqrt(limits[i]) + greatest + off[i]) / step
			return steps * steps
		}
		scan(points, reach, func(i int, near []Near) {
			for k := range near {
				near[k].D2 *= step * step
			}
			e := greatest + off[i]
			visit(i, near, e*(2*math.Sqrt(limits[i])+3*e))
		})
	}}, nil
}

// A grid has the points low + step·b in every dimension, for bytes b.
type grid struct{ low, step float32 }

// gridOf returns the grid that spans the elements of the rows. It is fine if most
// neighbours among the first rows are more than 16 times as far from each other as rows
// can be from their points; otherwise too many points would be near each other.
func gridOf(rows *descriptors.Matrix) (g grid, fine bool) {
	low, high := float32(math.Inf(1)), float32(math.Inf(-1))
	var neighbours []float64 // their squared distances
	last := -1
	for i := range rows.Rows {
		if rows.IsInvalid(i) {
			continue
		}
		for _, x := range rows.Float32[i*rows.Dim : (i+1)*rows.Dim] {
			if x < low {
				low = x
			}
			if x > high {
				high = x
			}
		}
		if last >= 0 && len(neighbours) < 64 {
			neighbours = append(neighbours, SquaredDistance(rows, last, rows, i))
		}
		last = i
	}
	g = grid{low, (high - low) / 255}
	if len(neighbours) == 0 || g.step < 0x1p-100 {
		return g, false
	}
	slices.Sort(neighbours)
	far := 16 * g.error(rows.Dim, 0)
	return g, far*far < neighbours[len(neighbours)/2]
}

// error returns a bound of the distance of a row of n elements from its point.
func (g grid) error(n int, outside float64) float64 {
	half := float64(g.step) / 2
	return 1.001 * math.Sqrt(float64(n)*half*half+outside) // more than what rounding can add
}

// A pointsFunc writes the bytes of the points nearest to the rows, and the squared norm
// of the bytes of each row, with all bits flipped if elements are outside the grid.
type pointsFunc func(bytes []uint8, norms []int32, rows []float32, g grid)

// nearest returns the points nearest to the rows, and bounds of their distances.
func (g grid) nearest(m *descriptors.Matrix, write pointsFunc) (*validRows, []float64) {
	points := &validRows{m: descriptors.New(m.Rows, m.Dim, descriptors.Uint8), index: make([]int32, m.Rows), norm: make([]float64, m.Rows)}
	off, norms := make([]float64, m.Rows), make([]int32, m.Rows)
	if m.Rows > 0 {
		write(points.m.Uint8, norms, m.Float32, g)
	}
	for i, norm := range norms {
		points.index[i], points.norm[i] = -1, math.Inf(1)
		if m.IsInvalid(i) {
			continue
		}
		outside := 0.0
		if norm < 0 {
			norm = ^norm
			outside = g.outside(m.Float32[i*m.Dim:(i+1)*m.Dim], points.m.Uint8[i*m.Dim:])
		}
		points.index[i], points.norm[i], off[i] = int32(i), float64(norm), g.error(m.Dim, outside)
	}
	return points, off
}

// outside returns the sum of the squares of what elements exceed the grid by.
func (g grid) outside(row []float32, bytes []uint8) float64 {
	sum := 0.0
	for k, x := range row {
		if off := float64(x) - float64(g.low) - float64(bytes[k])*float64(g.step); !(math.Abs(off) <= float64(g.step)/2) {
			sum += off * off
		}
	}
	return sum
}
