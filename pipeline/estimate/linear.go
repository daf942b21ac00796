package estimate

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"descbench/keypoints"
)

// A linear holds matches in normalised coordinates, for the normalised DLT
// algorithm (Hartley, Zisserman: Multiple View Geometry, 2nd edition, algorithm
// 4.2), which solves linear equations for the nine elements of the homography.
type linear struct {
	first, second similarity   // normalisation of each image
	matches       [][4]float64 // x, y in the first image, u, v in the second
	weights       []float64    // of the matches; nil: equal
}

// linearOf returns the marked matches in coordinates that the size of both images'
// points normalises.
func linearOf(src, dst []Point, marked []bool, size size) linear {
	l := linear{first: normalizer(src, marked, size), second: normalizer(dst, marked, size)}
	for i, use := range marked {
		if use {
			x, y := l.first.apply(src[i])
			u, v := l.second.apply(dst[i])
			l.matches = append(l.matches, [4]float64{x, y, u, v})
		}
	}
	return l
}

// leastSpread is the smallest accepted ratio of the second smallest to the
// largest eigenvalue of the equations below. Points on a line give up to 1e-15,
// from rounding their coordinates to float32. Four points within a pixel or two
// of a line 500 px long still give 1e-11.
const leastSpread = 1e-12

// solve returns the solution h of the equations A·h = 0: the eigenvector of AᵀA
// with the smallest eigenvalue. ok is false if the matches do not determine a
// homography because the solution is not unique up to scale, as for collinear
// points. OpenCV does not check this: it returns a homography for any four
// matches.
func (l linear) solve() (h keypoints.Homography, ok bool) {
	if !l.first.finite() || !l.second.finite() {
		return h, false
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(l.normalMatrix(), true) {
		return h, false
	}
	values := eigen.Values(nil) // in ascending order
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	mat.Col(h[:], 0, &vectors)
	return h, values[1] > leastSpread*values[8]
}

// normalMatrix returns AᵀA, or AᵀWA with the weights of the matches in W.
func (l linear) normalMatrix() *mat.SymDense {
	var ata [81]float64 // the upper triangle
	for k, m := range l.matches {
		x, y, u, v := m[0], m[1], m[2], m[3]
		weight := 1.0
		if l.weights != nil {
			weight = l.weights[k]
		}
		for _, row := range [2][9]float64{
			{x, y, 1, 0, 0, 0, -u * x, -u * y, -u},
			{0, 0, 0, x, y, 1, -v * x, -v * y, -v},
		} {
			for i := range row {
				for j := i; j < len(row); j++ {
					ata[9*i+j] += float64(float64(row[i]*row[j]) * weight)
				}
			}
		}
	}
	return mat.NewSymDense(9, ata[:])
}

// solveSystem returns the solution h of AᵀA·h = (1, …, 1), which kornia's
// find_homography_dlt takes for the eigenvector (kornia/kornia, commit b4f5a78,
// kornia/geometry/homography.py, solver lu). It is one if the smallest eigenvalue is
// much smaller than the others; else, as with wrong matches, it is a mixture of
// eigenvectors. ok is false where solve has no solution, either.
func (l linear) solveSystem() (h keypoints.Homography, ok bool) {
	if h, ok = l.solve(); !ok {
		return h, false
	}
	ones := mat.NewVecDense(9, slices.Repeat([]float64{1}, 9))
	var x mat.VecDense
	// An error of the condition is that of exact matches; then both solutions agree.
	if err := x.SolveVec(l.normalMatrix(), ones); errors.Is(err, mat.Condition(math.Inf(1))) {
		return h, true
	}
	copy(h[:], x.RawVector().Data)
	return h, true
}

// determined reports whether the marked matches determine a homography.
func determined(src, dst []Point, marked []bool) bool {
	_, ok := linearOf(src, dst, marked, meanSquare).solve()
	return ok
}

// A similarity translates points by (-x, -y) and then scales them.
type similarity struct{ x, y, scale float64 }

// A size is what normalised points have in common: a mean over their distances from
// their mean.
type size int

const (
	// meanSquare scales the mean of the squares to 2, for solutions that are refined.
	meanSquare size = iota
	// meanDistance scales the mean of the distances to √2 (Hartley, Zisserman, section
	// 4.4.4).
	meanDistance
)

// normalizer returns the similarity that moves the mean of the marked points to
// the origin and gives them the size. It is not finite unless there are at least two
// different points.
func normalizer(points []Point, marked []bool, size size) similarity {
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
	square, distance := 0.0, 0.0
	for i, p := range points {
		if marked[i] {
			dx, dy := float64(p.X)-s.x, float64(p.Y)-s.y
			square += dx*dx + dy*dy
			distance += math.Hypot(dx, dy)
		}
	}
	s.scale = math.Sqrt(2 * n / square)
	if size == meanDistance {
		s.scale = math.Sqrt2 * n / distance
	}
	return s
}

func (s similarity) finite() bool { return !math.IsNaN(s.scale) && !math.IsInf(s.scale, 0) }

func (s similarity) apply(p Point) (x, y float64) {
	return (float64(p.X) - s.x) * s.scale, (float64(p.Y) - s.y) * s.scale
}

// inPixels converts h from the normalised coordinates of l to pixels.
func (l linear) inPixels(h keypoints.Homography) keypoints.Homography {
	for r := 0; r < 9; r += 3 {
		h[r+2] -= l.first.scale * (h[r]*l.first.x + h[r+1]*l.first.y)
		h[r] *= l.first.scale
		h[r+1] *= l.first.scale
	}
	for c := range 3 {
		h[c] = h[c]/l.second.scale + l.second.x*h[6+c]
		h[3+c] = h[3+c]/l.second.scale + l.second.y*h[6+c]
	}
	return h
}
