package synth

import "slices"

// texels is the resolution of a plane: texels per pixel of image 1, in both
// directions. Views that come nearer than that would show a soft picture.
const texels = 2

// A plane is the flat picture that the images of a scene look at: linear
// light, red, green, blue, 16 bits each, row by row. Texel (i, j) is centred
// at pixel ((i+½)/texels − ½ − margin.x, …) of image 1.
type plane struct {
	w, h   int
	margin point // how far the plane goes on beyond image 1, px of image 1
	light  []uint16
}

// newPlane returns a black plane that goes on beyond an image of the given
// size by half of that size on every side.
func newPlane(width, height int) *plane {
	p := &plane{w: 2 * texels * width, h: 2 * texels * height}
	p.margin = point{float64(width) / 2, float64(height) / 2}
	p.light = make([]uint16, 3*p.w*p.h)
	return p
}

// A colour is linear light: red, green, blue in 0 to 1.
type colour [3]float64

func (c colour) times(f float64) colour {
	return colour{float64(c[0] * f), float64(c[1] * f), float64(c[2] * f)}
}

func (c colour) towards(d colour, t float64) colour {
	return colour{lerp(c[0], d[0], t), lerp(c[1], d[1], t), lerp(c[2], d[2], t)}
}

// shade is what a 16-bit sample of the light v is.
func shade(v float64) uint16 { return uint16(clamp(float64(v*65535)+0.5, 0, 65535)) }

func (p *plane) set(x, y int, c colour) {
	t := p.light[3*(y*p.w+x):][:3]
	t[0], t[1], t[2] = shade(c[0]), shade(c[1]), shade(c[2])
}

// A paint says how a shape is filled.
type paint struct {
	colour  colour
	opacity float64 // 0 to 1
	// grain, if it has values, brightens and darkens the colour by the
	// share contrast × grain; dx, dy move it, so that shapes differ.
	grain    field
	contrast float64
	dx, dy   int
	// rise is how much brighter the colour gets per texel to the right and
	// downwards, as a share, from origin on.
	rise, origin point
}

// sublines is how many lines per texel row a shape's coverage is taken on;
// along a line it is exact to 1/64 texel.
const sublines = 4

// fill paints a polygon, given by its corners in texels, texel centres at
// integers, by the even-odd rule.
func (p *plane) fill(corners []point, with paint) {
	low, high := corners[0], corners[0]
	for _, c := range corners {
		low = point{min(low.x, c.x), min(low.y, c.y)}
		high = point{max(high.x, c.x), max(high.y, c.y)}
	}
	left, right := max(0, int(low.x)-1), min(p.w-1, int(high.x)+1)
	top, bottom := max(0, int(low.y)-1), min(p.h-1, int(high.y)+1)
	if left > right || top > bottom || high.x < 0 || high.y < 0 {
		return
	}
	cover := make([]int32, right-left+2)
	var crossings []int
	for y := top; y <= bottom; y++ {
		clear(cover)
		for sub := range sublines {
			line := float64(y) - 0.5 + float64((float64(sub)+0.5)/sublines)
			crossings = crossingsOf(corners, line, left, right, crossings[:0])
			for i := 0; i+1 < len(crossings); i += 2 {
				addSpan(cover, crossings[i], crossings[i+1])
			}
		}
		p.blendRow(left, y, cover[:right-left+1], &with)
	}
}

// crossingsOf appends where a horizontal line crosses the polygon, in 1/64
// texel from the left edge of texel left, ascending.
func crossingsOf(corners []point, line float64, left, right int, to []int) []int {
	a := corners[len(corners)-1]
	for _, b := range corners {
		if (a.y <= line) != (b.y <= line) {
			x := a.x + float64((line-a.y)*(b.x-a.x))/(b.y-a.y)
			x = clamp(x+0.5-float64(left), 0, float64(right-left+1))
			to = append(to, int(float64(x*64)))
		}
		a = b
	}
	slices.Sort(to)
	return to
}

// addSpan adds the span from a to b, in 1/64 texel, to the coverage of the
// texels it touches.
func addSpan(cover []int32, a, b int) {
	i, j := a>>6, b>>6
	if i == j {
		cover[i] += int32(b - a)
		return
	}
	cover[i] += int32(64 - a&63)
	for k := i + 1; k < j; k++ {
		cover[k] += 64
	}
	cover[j] += int32(b & 63)
}

func (p *plane) blendRow(left, y int, cover []int32, with *paint) {
	for i, n := range cover {
		if n == 0 {
			continue
		}
		x := left + i
		c := with.colour
		if with.grain.v != nil {
			c = c.times(max(0, 1+float64(with.contrast*with.grain.at(x+with.dx, y+with.dy))))
		}
		if with.rise != (point{}) {
			c = c.times(max(0.1, 1+dot(with.rise.x, float64(x)-with.origin.x, with.rise.y, float64(y)-with.origin.y)))
		}
		alpha := float64(with.opacity*float64(n)) / (64 * sublines)
		t := p.light[3*(y*p.w+x):][:3]
		for k := range t {
			old := float64(t[k]) / 65535
			t[k] = shade(lerp(old, c[k], alpha))
		}
	}
}
