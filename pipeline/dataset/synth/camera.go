package synth

import "descbench/keypoints"

// A pyramid is a plane at full, half, quarter, … resolution.
type pyramid []*plane

// newPyramid averages two by two texels at each step, so that texel (i, j) of
// level l is centred where texels 2i, 2i+1 and 2j, 2j+1 of the level below
// have their common corner.
func newPyramid(base *plane) pyramid {
	levels := pyramid{base}
	for p := base; min(p.w, p.h) >= 64 && len(levels) < 6; p = levels[len(levels)-1] {
		half := &plane{w: p.w / 2, h: p.h / 2}
		half.light = make([]uint16, 3*half.w*half.h)
		for y := range half.h {
			upper, lower := p.light[3*p.w*2*y:], p.light[3*p.w*(2*y+1):]
			row := half.light[3*half.w*y:][:3*half.w]
			for i := range row {
				j := i/3*6 + i%3
				sum := uint32(upper[j]) + uint32(upper[j+3]) + uint32(lower[j]) + uint32(lower[j+3])
				row[i] = uint16((sum + 2) / 4)
			}
		}
		levels = append(levels, half)
	}
	return levels
}

// An exposure is linear light on the sensor: red, green, blue of every pixel,
// row by row.
type exposure struct {
	w, h  int
	light []float32
}

// photograph takes a picture of the plane by a homography from image 1's
// pixels to this image's. Each pixel is the mean of the plane under the
// camera's point spread function, close to a Gaussian of deviation blur px,
// carried back to the plane: an elliptical weighted average (Heckbert,
// Fundamentals of Texture Mapping and Image Warping, 1989, ch. 3) at the
// pyramid's level where the ellipse's short axis is a texel or two. The whole
// image must lie below the plane's horizon.
func photograph(levels pyramid, h keypoints.Homography, width, height int, blur float64) exposure {
	out := exposure{width, height, make([]float32, 3*width*height)}
	back := adjugate(h)
	for v := range height {
		for u := range width {
			at, depth := apply(back, point{float64(u), float64(v)})
			// Derivatives of texel position by pixel position, times blur.
			f := float64(texels*blur) / depth
			right := point{float64((back[0] - float64(at.x*back[6])) * f), float64((back[3] - float64(at.y*back[6])) * f)}
			down := point{float64((back[1] - float64(at.x*back[7])) * f), float64((back[4] - float64(at.y*back[7])) * f)}
			c := levels.average(levels[0].toTexels(at), right, down)
			for k := range c {
				out.light[3*(v*width+u)+k] = float32(c[k])
			}
		}
	}
	return out
}

// average returns the mean light around q, a position in texels of the full
// resolution, under a bell whose deviations are the conjugate half axes a, b.
func (levels pyramid) average(q, a, b point) colour {
	// Covariance of the bell, and the level at which its short axis suits.
	xx, xy, yy := dot(a.x, a.x, b.x, b.x), dot(a.x, a.y, b.x, b.y), dot(a.y, a.y, b.y, b.y)
	short := float64((xx + yy - sqrt(square(xx-yy)+square(float64(2*xy)))) / 2)
	level := 0
	averaged := 0.0 // variance of the averaging that the level stands for, in its own texels
	for ; short > 2.4 && level+1 < len(levels); level++ {
		short, xx, xy, yy = float64(short/4), float64(xx/4), float64(xy/4), float64(yy/4)
		q = q.minus(point{0.5, 0.5}).times(0.5)
		averaged = float64(averaged/4) + 1.0/16 // two texels at ±¼
	}
	// A bell narrower than this would fall between texels.
	const least = 0.36
	lift := max(0, least-(short-averaged)) - averaged
	return levels[level].bell(q, xx+lift, xy, yy+lift)
}

// bell averages texels with the weights (1 − r²/8)⁴, r being the distance from
// q in deviations of the given covariance: exp(−r²/2) to within 0.02, without
// an exponential and of finite reach.
func (p *plane) bell(q point, xx, xy, yy float64) colour {
	const reach = 8 // squared, in deviations
	det := float64(xx*yy) - square(xy)
	// r² = cxx dx² + cxy dx dy + cyy dy², in units of the reach.
	cxx, cxy, cyy := yy/det/reach, -2*xy/det/reach, xx/det/reach
	ry := sqrt(float64(reach * yy))
	var sum colour
	total := 0.0
	for y := floor(q.y-ry) + 1; float64(y) <= q.y+ry; y++ {
		dy := float64(y) - q.y
		// Where the row leaves the ellipse: its chord.
		middle := q.x + float64(float64(xy/yy)*dy)
		half := sqrt(max(0, float64(reach*det/yy)*(1-float64(square(dy)/float64(reach*yy)))))
		linear, constant := float64(cxy*dy), float64(cyy*square(dy))
		row := p.light[3*p.w*mirrored(y, p.h):][:3*p.w]
		for x := floor(middle-half) + 1; float64(x) <= middle+half; x++ {
			dx := float64(x) - q.x
			w := square(square(1 - (constant + float64(dx*(linear+float64(cxx*dx))))))
			t := row[3*mirrored(x, p.w):][:3]
			sum[0] += float64(w * float64(t[0]))
			sum[1] += float64(w * float64(t[1]))
			sum[2] += float64(w * float64(t[2]))
			total += w
		}
	}
	return sum.times(1 / float64(total*65535))
}

// mirrored returns which of n texels appears at i, the row repeating
// backwards and forwards beyond its ends.
func mirrored(i, n int) int {
	if 0 <= i && i < n {
		return i
	}
	i = ((i % (2 * n)) + 2*n) % (2 * n)
	return min(i, 2*n-1-i)
}
