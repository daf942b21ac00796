package nearest

import (
	"math"
	"math/rand/v2"
	"testing"

	"descbench/descriptors"
)

func TestPointsOfAGridAreAsNearAsTheirErrorsSay(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	m := descriptors.New(200, 16, descriptors.Float32)
	for k := range m.Float32 {
		m.Float32[k] = float32(rng.Float64()*12 - 1) // the grid is from 0 to 10
	}
	g := grid{0, 10. / 255}
	for _, kernel := range kernels() {
		points, errors := g.nearest(m, kernel.points)
		checkPoints(t, kernel.name, m, g, points, errors)
	}
}

func checkPoints(t *testing.T, kernel string, m *descriptors.Matrix, g grid, points *validRows, errors []float64) {
	for i := range m.Rows {
		d2, sum := 0.0, 0
		for k, x := range m.Float32[i*m.Dim : (i+1)*m.Dim] {
			b := points.m.Uint8[i*m.Dim+k]
			off := float64(x) - float64(g.low) - float64(b)*float64(g.step)
			if math.Abs(off) > 0.501*float64(g.step) && !(b == 0 && x < 0) && !(b == 255 && x > 10) {
				t.Errorf("%s: %v became byte %d, which is %v off", kernel, x, b, off)
			}
			d2 += off * off
			sum += int(b) * int(b)
		}
		if math.Sqrt(d2) > errors[i] || errors[i] > 12 {
			t.Errorf("%s: row %d is %v from its point, and its error is %v", kernel, i, math.Sqrt(d2), errors[i])
		}
		if points.norm[i] != float64(sum) {
			t.Errorf("%s: row %d: norm %v, want %d", kernel, i, points.norm[i], sum)
		}
	}
}
