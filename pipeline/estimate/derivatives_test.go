package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"descbench/keypoints"
)

var tilted = keypoints.Homography{0.8, -0.2, 0.3, 0.1, 0.7, -0.2, -0.15, 0.25, 1}

// noisy returns n matches in normalised coordinates, moved by tilted and noise.
func noisy(n int, noise float64) (l linear) {
	r := rand.New(rand.NewPCG(2, 3))
	for range n {
		x, y := 2*r.Float64()-1, 2*r.Float64()-1
		u, v := tilted.Apply(x, y)
		l.matches = append(l.matches, [4]float64{x, y, u + noise*r.NormFloat64(), v + noise*r.NormFloat64()})
	}
	return l
}

// The derivatives are those of differences, and the step s solves (JᵀJ + λ·diag(JᵀJ))·s =
// Jᵀr (Hartley, Zisserman, appendix A6.2).
func TestNormalEquationsAreThoseOfTheDistances(t *testing.T) {
	const delta, damping = 1e-6, 0.3
	l := noisy(15, 0.1)
	h := tilted
	h[1], h[7] = h[1]+0.05, h[7]-0.04
	squares, jtj, jtr := 0.0, [8][8]float64{}, [8]float64{}
	for _, m := range l.matches {
		u, v := h.Apply(m[0], m[1])
		for c, r := range []float64{u - m[2], v - m[3]} {
			squares += r * r
			var row [8]float64
			for i := range row {
				more, less := h, h
				more[i], less[i] = h[i]+delta, h[i]-delta
				mu, mv := more.Apply(m[0], m[1])
				lu, lv := less.Apply(m[0], m[1])
				row[i] = []float64{mu - lu, mv - lv}[c] / (2 * delta)
			}
			for i := range row {
				jtr[i] += row[i] * r
				for j := range row {
					jtj[i][j] += row[i] * row[j]
				}
			}
		}
	}
	n := l.normalAt(h)
	step, ok := n.step(damping)
	if !ok || math.Abs(n.squares-squares) > 1e-12 {
		t.Errorf("squares %v, want %v; step %v", n.squares, squares, ok)
	}
	for i := range jtr {
		left := damping * jtj[i][i] * step.AtVec(i)
		for j := range jtr {
			left += jtj[i][j] * step.AtVec(j)
			if j >= i && math.Abs(n.jtj[i][j]-jtj[i][j]) > 1e-7 {
				t.Errorf("JᵀJ[%d][%d] is %v, want %v", i, j, n.jtj[i][j], jtj[i][j])
			}
		}
		if math.Abs(n.jtr[i]-jtr[i]) > 1e-7 || math.Abs(left-jtr[i]) > 1e-7 {
			t.Errorf("Jᵀr[%d] is %v, and with the step %v, want %v", i, n.jtr[i], left, jtr[i])
		}
	}
}
