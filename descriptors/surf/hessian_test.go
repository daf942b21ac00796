package surf

import (
	"math"
	"testing"
)

// impulse returns a dark image with one pixel of 255.
func impulse(size, x, y int) *integral {
	return newIntegral(render(size, size, func(px, py float64) float64 {
		if int(px) == x && int(py) == y {
			return 255
		}
		return 0
	}))
}

// The filter of size 9 is figure 2 of the paper: weights 1, -2, 1 on boxes of
// 5×3 pixels, 1 and -1 on boxes of 3×3, all divided by the area of one box.
func TestSmallestFilterIsThatOfThePaper(t *testing.T) {
	const at = 10 // the filter covers pixels 10 to 18
	for name, c := range map[string]struct {
		x, y         int
		xx, yy, diag float64
	}{
		"centre":         {4, 4, -2. / 15, -2. / 15, 0},
		"left box of xx": {0, 4, 1. / 15, 0, 0},
		"edge of xx":     {0, 6, 1. / 15, 0, 0},
		"beyond xx":      {0, 7, 0, 0, 0},
		"top box of yy":  {2, 0, 0, 1. / 15, 0},
		"top left":       {1, 1, 0, 0, 1. / 9},
		"in xx and xy":   {2, 3, 1. / 15, -2. / 15, 1. / 9},
		"top right":      {7, 1, 0, 0, -1. / 9},
		"bottom left":    {1, 7, 0, 0, -1. / 9},
		"bottom right":   {7, 7, 0, 0, 1. / 9},
		"between":        {4, 1, 0, 1. / 15, 0},
	} {
		sum := impulse(30, at+c.x, at+c.y)
		h := newHessian(sum, 9, at+1)
		dets := make([]float32, at+1)
		h.determinants(dets, at, 1)
		xx, yy, xy := 255*c.xx, 255*c.yy, 255*c.diag
		if got := float64(h.dxx[at]); math.Abs(got-xx) > 1e-4 {
			t.Errorf("%s: second derivative in x is %v, want %v", name, got, xx)
		}
		if got := float64(h.dyy[at]); math.Abs(got-yy) > 1e-4 {
			t.Errorf("%s: second derivative in y is %v, want %v", name, got, yy)
		}
		if got, want := float64(dets[at]), xx*yy-0.81*xy*xy; math.Abs(got-want) > 1e-2 {
			t.Errorf("%s: determinant is %v, want %v", name, got, want)
		}
		if got, want := float64(h.laplacian(at, at)), xx+yy; math.Abs(got-want) > 1e-4 {
			t.Errorf("%s: Laplacian is %v, want %v", name, got, want)
		}
	}
}
