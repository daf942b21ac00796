package estimate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"descbench/eval/matching"
	"descbench/keypoints"
)

// fit returns the homography that minimises the sum of squared reprojection
// errors of the marked matches in the second image: the solution of the
// normalised DLT algorithm, refined by Levenberg-Marquardt. ok is false if the
// matches do not determine a homography.
//
// OpenCV refines RANSAC's result in the same way, but with a BLAS library, whose
// results differ in the last bits between processors.
func fit(src, dst []Point, marked []bool) (h keypoints.Homography, ok bool) {
	l := linearOf(src, dst, marked, meanSquare)
	h, ok = l.solve()
	if !ok {
		return keypoints.Homography{}, false
	}
	h, err := l.inPixels(l.refine(h)).Normalized()
	return h, err == nil
}

// direct returns the solution of the normalised DLT algorithm for all matches. ok is
// false if they do not determine a homography.
func (m Matches) direct(e matching.Estimator) (h keypoints.Homography, ok bool) {
	l := linearOf(m.Src, m.Dst, slices.Repeat([]bool{true}, len(m.Src)), meanDistance)
	if e.Weighted {
		l.weights = m.Weights
	}
	solve := l.solve
	if e.System {
		solve = l.solveSystem
	}
	if h, ok = solve(); !ok {
		return keypoints.Homography{}, false
	}
	h, err := l.inPixels(h).Normalized()
	return h, err == nil
}

// leastStep is the step size below which the refinement stops, in normalised
// coordinates, in which points are at a distance of about 1 from their mean.
// maxSteps is the maximum number of steps tried.
const leastStep, maxSteps = 1e-10, 20

// refine minimises the sum of squared distances, starting at h, by the
// Levenberg-Marquardt algorithm (Hartley, Zisserman, appendix A6.2). The damping
// is multiplied by 10 after a step that increases the sum and divided by 10 after
// one that decreases it. The last element of the homography stays 1. It cannot be
// 0, because then the centre of the matches would map to infinity.
func (l linear) refine(h keypoints.Homography) keypoints.Homography {
	for i := range h {
		h[i] /= h[8]
	}
	at, damping := l.normalAt(h), 1e-3
	for range maxSteps {
		step, ok := at.step(damping)
		if ok && mat.Norm(&step, math.Inf(1)) < leastStep {
			break
		}
		next := h
		for i := range step.Len() {
			next[i] -= step.AtVec(i)
		}
		if there := l.normalAt(next); ok && there.squares < at.squares {
			h, at, damping = next, there, damping/10
		} else {
			damping *= 10
		}
	}
	return h
}

// A normal holds the normal equations of the least squares problem at a
// homography.
type normal struct {
	squares float64       // the sum of the squared distances r
	jtj     [8][8]float64 // upper triangle of JᵀJ, with J the derivatives of r by the first eight elements
	jtr     [8]float64    // Jᵀr
}

func (l linear) normalAt(h keypoints.Homography) (n normal) {
	for _, m := range l.matches {
		x, y := m[0], m[1]
		u, v := h.Apply(x, y)
		w := h[6]*x + h[7]*y + h[8]
		n.add(u-m[2], [8]float64{x / w, y / w, 1 / w, 0, 0, 0, -u * x / w, -u * y / w})
		n.add(v-m[3], [8]float64{0, 0, 0, x / w, y / w, 1 / w, -v * x / w, -v * y / w})
	}
	return n
}

func (n *normal) add(r float64, row [8]float64) {
	n.squares += r * r
	for i, a := range row {
		n.jtr[i] += a * r
		for j := i; j < 8; j++ {
			n.jtj[i][j] += a * row[j]
		}
	}
}

// step solves the equations with their diagonal multiplied by 1 + damping. ok is
// false if it cannot, for example because a match maps to infinity.
func (n *normal) step(damping float64) (step mat.VecDense, ok bool) {
	a := mat.NewSymDense(8, nil)
	for i := range 8 {
		for j := i; j < 8; j++ {
			a.SetSym(i, j, n.jtj[i][j])
		}
		a.SetSym(i, i, n.jtj[i][i]*(1+damping))
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(a) {
		return step, false
	}
	return step, cholesky.SolveVecTo(&step, mat.NewVecDense(8, n.jtr[:])) == nil
}
