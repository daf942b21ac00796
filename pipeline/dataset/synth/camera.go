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
		half := &plane{w: p.w / 2, h: p.h / 2, margin: p.margin}
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
// pyramid's level where the ellipse's short axis is a texel or two.
func photograph(levels pyramid, h keypoints.Homography, width, height int, blur float64, beyond colour) exposure {
	out := exposure{width, height, make([]float32, 3*width*height)}
	back := adjugate(h)
	base := levels[0]
	for v := range height {
		for u := range width {
			pixel := out.light[3*(v*width+u):][:3]
			at, depth := apply(back, point{float64(u), float64(v)})
			if depth <= 0 { // above the plane's horizon
				beyond.store(pixel)
				continue
			}
			// Derivatives of texel position by pixel position.
			f := float64(texels) / depth
			right := point{float64((back[0] - float64(at.x*back[6])) * f), float64((back[3] - float64(at.y*back[6])) * f)}
			down := point{float64((back[1] - float64(at.x*back[7])) * f), float64((back[4] - float64(at.y*back[7])) * f)}
			q := point{float64((at.x+base.margin.x+0.5)*texels) - 0.5, float64((at.y+base.margin.y+0.5)*texels) - 0.5}
			levels.average(q, right.times(blur), down.times(blur), beyond).store(pixel)
		}
	}
	return out
}

func (c colour) store(pixel []float32) {
	for k := range pixel {
		pixel[k] = float32(c[k])
	}
}

// average returns the mean light around q, a position in texels of the full
// resolution, under a bell whose deviations are the conjugate half axes a, b.
func (levels pyramid) average(q, a, b point, beyond colour) colour {
	// Covariance of the bell, and the level at which its short axis suits.
	xx, xy, yy := dot(a.x, a.x, b.x, b.x), dot(a.x, a.y, b.x, b.y), dot(a.y, a.y, b.y, b.y)
	short := float64((xx + yy - sqrt(square(xx-yy)+square(float64(2*xy)))) / 2)
	level := 0
	averaged := 0.0 // variance of the averaging that the level stands for, in its own texels
	for ; short > 2.4 && level+1 < len(levels); level++ {
		short, xx, xy, yy = float64(short/4), float64(xx/4), float64(xy/4), float64(yy/4)
		q = point{(q.x - 0.5) / 2, (q.y - 0.5) / 2}
		averaged = float64(averaged/4) + 1.0/16 // two texels at ±¼
	}
	// A bell narrower than this would fall between texels.
	const least = 0.36
	lift := max(0, least-(short-averaged)) - averaged
	xx, yy = xx+lift, yy+lift
	return levels[level].bell(q, xx, xy, yy, beyond)
}

// bell averages texels with the weights (1 − r²/8)⁴, r being the distance from
// q in deviations of the given covariance: exp(−r²/2) to within 0.02, without
// an exponential and of finite reach. Where the plane ends the light is that
// of what lies beyond.
func (p *plane) bell(q point, xx, xy, yy float64, beyond colour) colour {
	const reach = 8 // squared, in deviations
	det := float64(xx*yy) - square(xy)
	rx, ry := sqrt(float64(reach*xx)), sqrt(float64(reach*yy))
	if rx+ry > float64(p.w+p.h) { // close to the horizon, one pixel covers it all
		return beyond
	}
	if q.x+rx < 0 || q.y+ry < 0 || q.x-rx > float64(p.w-1) || q.y-ry > float64(p.h-1) {
		return beyond
	}
	// r² = cxx dx² + cxy dx dy + cyy dy², in units of the reach.
	cxx, cxy, cyy := yy/det/reach, -2*xy/det/reach, xx/det/reach
	var red, green, blue, seen, missed float64
	for y := floor(q.y-ry) + 1; float64(y) <= q.y+ry; y++ {
		dy := float64(y) - q.y
		// Where the row leaves the ellipse: its chord.
		middle := float64(float64(xy/yy) * dy)
		half := float64(reach*det/yy) * (1 - float64(square(dy)/float64(reach*yy)))
		if half <= 0 {
			continue
		}
		half = sqrt(half)
		first, last := floor(q.x+middle-half)+1, floor(q.x+middle+half)
		inRow := y >= 0 && y < p.h
		linear, constant := float64(cxy*dy), float64(cyy*square(dy))
		for x := first; x <= last; x++ {
			dx := float64(x) - q.x
			w := 1 - (constant + float64(dx*(linear+float64(cxx*dx))))
			w = float64(w * w)
			w = float64(w * w)
			if !inRow || x < 0 || x >= p.w {
				missed += w
				continue
			}
			t := p.light[3*(y*p.w+x):][:3]
			red += float64(w * float64(t[0]))
			green += float64(w * float64(t[1]))
			blue += float64(w * float64(t[2]))
			seen += w
		}
	}
	total := seen + missed
	seen = float64(total * 65535)
	c := colour{red / seen, green / seen, blue / seen}
	if missed > 0 {
		for k := range c {
			c[k] += float64(beyond[k]*missed) / total
		}
	}
	return c
}
