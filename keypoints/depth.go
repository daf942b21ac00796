package keypoints

import (
	"fmt"
	"math"
)

// A Depth is a depth image: z, the coordinate along the optical axis of a camera, of the points that
// its pixels show, in the unit of the camera's translation. Its pixels need not be those of the
// image: it is never resized.
type Depth struct {
	width, height int
	z             []float32  // by row; 0: missing
	at            [4]float64 // pixel (x, y) of the image is (x·at[0] + at[2], y·at[1] + at[3]) of the depth image
}

// NewDepth returns a depth image of the given size in px, given z by row, which it keeps, and the
// factors and shifts sx, sy, dx, dy that bring pixel (x, y) of the image to (x·sx + dx, y·sy + dy)
// of the depth image. 0 stands for a missing value. It fails if the number of values is not that of
// the pixels, or with the first pixel whose value is negative or not finite.
func NewDepth(width, height int, z []float32, sx, sy, dx, dy float64) (*Depth, error) {
	if min(width, height) < 1 || len(z) != width*height {
		return nil, fmt.Errorf("%d values of depth for %d×%d px", len(z), width, height)
	}
	for i, v := range z {
		if !(v >= 0) || math.IsInf(float64(v), 1) {
			return nil, fmt.Errorf("depth at pixel (%d, %d) is %v, want a finite number from 0 on (0: missing)", i%width, i/width, v)
		}
	}
	return &Depth{width, height, z, [4]float64{sx, sy, dx, dy}}, nil
}

// OfRays returns the depth image whose values were distances along the rays of a camera.
func (d *Depth) OfRays(k Intrinsics) *Depth {
	out := *d
	out.z = make([]float32, len(d.z))
	for i, v := range d.z {
		x, y := k.Ray((float64(i%d.width)-d.at[2])/d.at[0], (float64(i/d.width)-d.at[3])/d.at[1])
		out.z[i] = float32(float64(v) / math.Hypot(1, math.Hypot(x, y)))
	}
	return &out
}

// position returns where the pixel (x, y) of the image is in the depth image.
func (d *Depth) position(x, y float64) (float64, float64) {
	return float64(x*d.at[0]) + d.at[2], float64(y*d.at[1]) + d.at[3]
}

// pixel returns z of a pixel of the depth image, 0 outside of it.
func (d *Depth) pixel(x, y int) float64 {
	if x < 0 || x >= d.width || y < 0 || y >= d.height {
		return 0
	}
	return float64(d.z[y*d.width+x])
}

// nearest returns z of the pixel nearest to (x, y) of the image, 0 if it is missing.
func (d *Depth) nearest(x, y float64) float64 {
	x, y = d.position(x, y)
	x, y = math.Floor(x+0.5), math.Floor(y+0.5)
	if !(x >= 0 && x < float64(d.width) && y >= 0 && y < float64(d.height)) { // nor NaN
		return 0
	}
	return d.pixel(int(x), int(y))
}

// between returns z at (x, y) of the image, 0 if it is missing: by bilinear interpolation of 1/z,
// which is exact on planes, if all of the up to four pixels around it are there and the largest
// exceeds the smallest by at most tolerance, a share; else, as at the edge of an object, that of the
// nearest pixel.
func (d *Depth) between(x, y, tolerance float64) float64 {
	u, v := d.position(x, y)
	if !(u >= 0 && u <= float64(d.width-1) && v >= 0 && v <= float64(d.height-1)) {
		return d.nearest(x, y)
	}
	left, top := math.Floor(u), math.Floor(v)
	u, v = u-left, v-top
	inverse, least, most := 0., math.Inf(1), 0.
	for i, weight := range [...]float64{(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v} {
		if weight == 0 {
			continue
		}
		z := d.pixel(int(left)+i%2, int(top)+i/2)
		least, most = min(least, z), max(most, z)
		inverse += float64(weight / z)
	}
	if least == 0 || most > float64((1+tolerance)*least) {
		return d.nearest(x, y)
	}
	return 1 / inverse
}

// slope returns the derivatives of 1/z by x and y of the image at (x, y): those of the plane that
// fits 1/z best in the 5×5 pixels around it, without pixels whose z is missing or differs from z by
// more than the tolerance. ok is false if fewer than 6 pixels are left: 5 can lie on a line.
func (d *Depth) slope(x, y, z, tolerance float64) (byX, byY float64, ok bool) {
	u, v := d.position(x, y)
	left, top := int(math.Floor(u+0.5))-2, int(math.Floor(v+0.5))-2
	var n, sx, sy, sq, sxx, sxy, syy, sxq, syq float64
	for i := range 25 {
		other := d.pixel(left+i%5, top+i/5)
		if other == 0 || math.Abs(other-z) > float64(tolerance*z) {
			continue
		}
		px, py, q := float64(i%5-2), float64(i/5-2), 1/other
		n, sx, sy, sq = n+1, sx+px, sy+py, sq+q
		sxx, sxy, syy = sxx+float64(px*px), sxy+float64(px*py), syy+float64(py*py)
		sxq, syq = sxq+float64(px*q), syq+float64(py*q)
	}
	if n < 6 {
		return 0, 0, false
	}
	sxx, sxy, syy = sxx-float64(sx*sx)/n, sxy-float64(sx*sy)/n, syy-float64(sy*sy)/n
	sxq, syq = sxq-float64(sx*sq)/n, syq-float64(sy*sq)/n
	determinant := float64(sxx*syy) - float64(sxy*sxy)
	byX = (float64(sxq*syy) - float64(syq*sxy)) / determinant
	byY = (float64(syq*sxx) - float64(sxq*sxy)) / determinant
	return byX * d.at[0], byY * d.at[1], true
}
