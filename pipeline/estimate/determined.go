package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// leastSpread bounds from below the ratio of the second smallest to the largest
// eigenvalue of the equations below. Points on a line give up to 1e-15, by the
// rounding of their coordinates to float32; four points within a pixel or two
// of a line 500 px long still 1e-11.
const leastSpread = 1e-12

// determined reports whether the matches marked determine a homography: whether
// the linear equations that they set for its nine numbers have one solution
// but for its scale, and not several, as for points on a line. OpenCV does
// not look: of four matches it makes a homography whatever they are.
//
// The equations are those of the normalised DLT algorithm (Hartley, Zisserman:
// Multiple View Geometry, 2nd edition, algorithm 4.2), A·h = 0; the number of
// solutions is read off the eigenvalues of AᵀA.
func determined(src, dst []Point, marked []bool) bool {
	a, b := normalizer(src, marked), normalizer(dst, marked)
	if !a.finite() || !b.finite() {
		return false
	}
	ata := mat.NewSymDense(9, nil)
	for i, use := range marked {
		if !use {
			continue
		}
		x, y := a.apply(src[i])
		u, v := b.apply(dst[i])
		for _, row := range [2][9]float64{
			{x, y, 1, 0, 0, 0, -u * x, -u * y, -u},
			{0, 0, 0, x, y, 1, -v * x, -v * y, -v},
		} {
			ata.SymRankOne(ata, 1, mat.NewVecDense(9, row[:]))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(ata, false) {
		return false
	}
	values := eigen.Values(nil) // ascending
	return values[1] > leastSpread*values[8]
}

// A similarity moves points to the origin and scales them.
type similarity struct{ x, y, scale float64 }

// normalizer returns the similarity after which the points marked have their
// mean at the origin and the mean square distance 2 from it. It is not finite if
// there is but one place among them, or none.
func normalizer(points []Point, marked []bool) similarity {
	var s similarity
	n := 0.0
	for i, p := range points {
		if marked[i] {
			n++
			s.x += float64(p.X)
			s.y += float64(p.Y)
		}
	}
	s.x /= n
	s.y /= n
	square := 0.0
	for i, p := range points {
		if marked[i] {
			dx, dy := float64(p.X)-s.x, float64(p.Y)-s.y
			square += dx*dx + dy*dy
		}
	}
	s.scale = math.Sqrt(2 * n / square)
	return s
}

func (s similarity) finite() bool { return !math.IsNaN(s.scale) && !math.IsInf(s.scale, 0) }

func (s similarity) apply(p Point) (x, y float64) {
	return (float64(p.X) - s.x) * s.scale, (float64(p.Y) - s.y) * s.scale
}
