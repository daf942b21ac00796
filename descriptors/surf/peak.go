package surf

// A cube holds the determinants around a sample: by layer (below, own, above),
// then by position, row by row. The sample itself is at [1][4].
type cube [3][9]float32

func cubeAt(layers *[3]layer, i, j int) (c cube) {
	for n := range layers {
		l := &layers[n]
		for row := range 3 {
			copy(c[n][3*row:3*row+3], l.det[(i+row-1)*l.cols+j-1:])
		}
	}
	return c
}

func (c *cube) isMaximum() bool {
	for n := range c {
		for k, v := range c[n] {
			if v >= c[1][4] && (n != 1 || k != 4) {
				return false
			}
		}
	}
	return true
}

// peak returns the maximum of the quadratic through the samples as an offset
// from the middle sample, in samples and layers: one step of Newton's method
// with central differences (Brown, Lowe, "Invariant Features from Interest
// Point Groups", BMVC 2002). It reports false if the maximum is more than one
// sample away or does not exist.
func (c *cube) peak() (x, y, s float32, ok bool) {
	below, own, above := &c[0], &c[1], &c[2]
	// The gradient, negative, and the Hessian matrix.
	gx := -(own[5] - own[3]) / 2
	gy := -(own[7] - own[1]) / 2
	gs := -(above[4] - below[4]) / 2
	xx := own[3] - 2*own[4] + own[5]
	yy := own[1] - 2*own[4] + own[7]
	ss := below[4] - 2*own[4] + above[4]
	xy := (own[8] - own[6] - own[2] + own[0]) / 4
	xs := (above[5] - above[3] - below[5] + below[3]) / 4
	ys := (above[7] - above[1] - below[7] + below[1]) / 4

	// Cramer's rule. minor(a, b, c, d) = ad - bc.
	det := float32(xx*minor(yy, ys, ys, ss)) - float32(xy*minor(xy, ys, xs, ss)) + float32(xs*minor(xy, yy, xs, ys))
	if det == 0 {
		return 0, 0, 0, false
	}
	inv := 1 / det
	x = inv * (float32(gx*minor(yy, ys, ys, ss)) - float32(xy*minor(gy, ys, gs, ss)) + float32(xs*minor(gy, yy, gs, ys)))
	y = inv * (float32(xx*minor(gy, ys, gs, ss)) - float32(gx*minor(xy, ys, xs, ss)) + float32(xs*minor(xy, gy, xs, gs)))
	s = inv * (float32(xx*minor(yy, gy, ys, gs)) - float32(xy*minor(xy, gy, xs, gs)) + float32(gx*minor(xy, yy, xs, ys)))
	ok = (x != 0 || y != 0 || s != 0) && abs(x) <= 1 && abs(y) <= 1 && abs(s) <= 1
	return x, y, s, ok
}

func minor(a, b, c, d float32) float32 { return float32(a*d) - float32(b*c) }
