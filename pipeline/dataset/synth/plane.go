package synth

// texels is the resolution of a plane: texels per pixel of image 1, in both
// directions. Views that come nearer than that show a soft picture.
const texels = 2

// A plane is the flat picture that the images of a scene look at: linear
// light, red, green, blue, 16 bits each, row by row. Texel (i, j) is centred
// at pixel ((i+½)/texels − ½ − margin.x, …) of image 1. Beyond its edges a
// plane continues as its mirror image.
type plane struct {
	w, h   int
	margin point // how far the plane extends beyond image 1, px of image 1
	light  []uint16
}

// newPlane returns a black plane that extends beyond an image of the given
// size by half of that size on every side.
func newPlane(width, height int) *plane {
	p := &plane{w: 2 * texels * width, h: 2 * texels * height}
	p.margin = point{float64(width) / 2, float64(height) / 2}
	p.light = make([]uint16, 3*p.w*p.h)
	return p
}

func (p *plane) texel(x, y int) []uint16 { return p.light[3*(y*p.w+x):][:3] }

// toTexels returns where a pixel position of image 1 lies on the plane.
func (p *plane) toTexels(at point) point {
	return at.plus(p.margin).plus(point{0.5, 0.5}).times(texels).minus(point{0.5, 0.5})
}

// add adds light to texel (x, y).
func (p *plane) add(x, y int, c colour) {
	t := p.texel(x, y)
	for k, old := range t {
		t[k] = uint16(min(float64(c[k]*65535)+float64(old)+0.5, 65535))
	}
}

// A colour is linear light: red, green, blue in 0 to 1.
type colour [3]float64

func (c colour) times(f float64) colour {
	return colour{float64(c[0] * f), float64(c[1] * f), float64(c[2] * f)}
}
