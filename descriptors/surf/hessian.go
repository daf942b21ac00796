package surf

// A hessian computes the second derivatives of the image with box filters of
// one size: three boxes side by side for xx, three stacked for yy, four in a
// square for xy. Edges are distances from the filter's first column and row.
type hessian struct {
	sum  *integral
	size int

	along  [4]int  // edges of the three boxes in the direction of the derivative
	across [2]int  // edges of these boxes in the other direction
	weight float32 // weight of the outer boxes; that of the middle box is -2 times as large

	cross       [4]int // edges of the four boxes in both directions
	crossWeight float32

	dxx, dyy []float32 // one row of responses
}

// sizeOfFirst is the size of the smallest filter. Layouts are given for this
// size and scaled to others.
const sizeOfFirst = 9

// newHessian returns the filter of the given size, a multiple of 3, for rows of
// up to n responses.
func newHessian(sum *integral, size, n int) *hessian {
	edge := func(v int) int { return roundHalfEven(float32(size) / sizeOfFirst * float32(v)) }
	h := &hessian{
		sum: sum, size: size,
		along:  [4]int{edge(0), edge(3), edge(6), edge(9)},
		across: [2]int{edge(2), edge(7)},
		cross:  [4]int{edge(1), edge(4), edge(5), edge(8)},
		dxx:    make([]float32, n), dyy: make([]float32, n),
	}
	h.weight = 1 / float32(h.along[1]*(h.across[1]-h.across[0]))
	side := h.cross[1] - h.cross[0]
	h.crossWeight = 1 / float32(side*side)
	return h
}

// determinants sets dst[j] to the Hessian determinant of the filter whose first
// pixel is (j·step, y).
func (h *hessian) determinants(dst []float32, y, step int) {
	dxx, dyy := h.dxx[:len(dst)], h.dyy[:len(dst)]
	h.alongX(dxx, 0, y, step)
	h.alongY(dyy, 0, y, step)

	c := h.cross
	r0, r1, r2, r3 := h.row(y+c[0]), h.row(y+c[1]), h.row(y+c[2]), h.row(y+c[3])
	w := h.crossWeight
	x := 0
	for j := range dst {
		x0, x1, x2, x3 := x+c[0], x+c[1], x+c[2], x+c[3]
		x += step
		topLeft := r0[x0] + r1[x1] - r0[x1] - r1[x0]
		topRight := r0[x2] + r1[x3] - r0[x3] - r1[x2]
		bottomLeft := r2[x0] + r3[x1] - r2[x1] - r3[x0]
		bottomRight := r2[x2] + r3[x3] - r2[x3] - r3[x2]
		dxy := float32(float64(float32(topLeft)*w) - float64(float32(topRight)*w) -
			float64(float32(bottomLeft)*w) + float64(float32(bottomRight)*w))
		dst[j] = float32(dxx[j]*dyy[j]) - float32(float32(0.81*dxy)*dxy)
	}
}

// laplacian returns the sum of the second derivatives of the filter whose first
// pixel is (x, y).
func (h *hessian) laplacian(x, y int) float32 {
	h.alongX(h.dxx[:1], x, y, 1)
	h.alongY(h.dyy[:1], x, y, 1)
	return h.dxx[0] + h.dyy[0]
}

// alongX sets dst[j] to the second derivative in x of the filter whose first
// pixel is (x + j·step, y).
func (h *hessian) alongX(dst []float32, x, y, step int) {
	top, bottom := h.row(y+h.across[0]), h.row(y+h.across[1])
	e := h.along
	for j := range dst {
		x0, x1, x2, x3 := x+e[0], x+e[1], x+e[2], x+e[3]
		x += step
		dst[j] = h.second(bottom[x0]-top[x0], bottom[x1]-top[x1], bottom[x2]-top[x2], bottom[x3]-top[x3])
	}
}

// alongY is alongX in the other direction.
func (h *hessian) alongY(dst []float32, x, y, step int) {
	e := h.along
	r0, r1, r2, r3 := h.row(y+e[0]), h.row(y+e[1]), h.row(y+e[2]), h.row(y+e[3])
	left, right := h.across[0], h.across[1]
	for j := range dst {
		xl, xr := x+left, x+right
		x += step
		dst[j] = h.second(r0[xr]-r0[xl], r1[xr]-r1[xl], r2[xr]-r2[xl], r3[xr]-r3[xl])
	}
}

// second returns the weighted sum of the three boxes between four edges, given
// the integral up to each edge.
func (h *hessian) second(s0, s1, s2, s3 int32) float32 {
	w := h.weight
	return float32(float64(float32(s1-s0)*w) - float64(float32(s2-s1)*(2*w)) + float64(float32(s3-s2)*w))
}

func (h *hessian) row(y int) []int32 { return h.sum.sum[y*h.sum.cols:][:h.sum.cols] }
