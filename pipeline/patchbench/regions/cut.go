package regions

import (
	"math"

	"descbench/keypoints"
)

// A Picture holds the pixels of an image, row by row, with interleaved channels.
type Picture struct {
	Pix           []uint8
	Width, Height int
	Channels      int
}

// Cut returns a region as a patch of side×side pixels with the channels of p. h is
// the homography from the image of the region to p. The mapped region must be inside
// p.
//
// Each pixel of the patch is the mean of bilinear samples spread evenly over the
// area it covers. There is one sample where a pixel of the patch is smaller than a
// pixel of p. Elsewhere there are enough samples along each axis that their spacing
// does not exceed the pixels of p, so fine texture is averaged and not aliased.
func (p Picture) Cut(r Region, h keypoints.Homography, side int) []uint8 {
	g := r.toPixels(h)
	columns, rows := samples(g, side)
	patch := make([]uint8, side*side*p.Channels)
	sums := make([]float64, p.Channels)
	stepU, stepV := 2/float64(side*columns), 2/float64(side*rows)
	share := 1 / float64(columns*rows)
	for y := range side {
		for x := range side {
			clear(sums)
			for i := range rows {
				v := (float64(y*rows+i)+0.5)*stepV - 1
				for j := range columns {
					u := (float64(x*columns+j)+0.5)*stepU - 1
					px, py := g.Apply(u, v)
					p.add(sums, px, py)
				}
			}
			for c, sum := range sums {
				patch[(y*side+x)*p.Channels+c] = uint8(math.Floor(sum*share + 0.5))
			}
		}
	}
	return patch
}

// samples returns the number of samples per pixel of the patch along u and v: the
// distance between two pixels of the patch, measured in pixels of the picture, at
// the corner or centre where it is largest.
func samples(g keypoints.Homography, side int) (columns, rows int) {
	var alongU, alongV float64
	for _, at := range [...][2]float64{{0, 0}, {-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		d := g.LocalAffine(at[0], at[1])
		alongU = max(alongU, math.Hypot(d[0][0], d[1][0]))
		alongV = max(alongV, math.Hypot(d[0][1], d[1][1]))
	}
	pitch := 2 / float64(side)
	// A patch at the picture's own scale must have one sample in spite of rounding.
	count := func(along float64) int { return max(1, int(math.Ceil(along*pitch-1e-6))) }
	return count(alongU), count(alongV)
}

// add adds the channels at (x, y), interpolated between the four pixels around it.
func (p Picture) add(sums []float64, x, y float64) {
	x, y = max(0, min(x, float64(p.Width-1))), max(0, min(y, float64(p.Height-1)))
	left, top := int(x), int(y)
	fx, fy := x-float64(left), y-float64(top)
	right, below := p.Channels, p.Width*p.Channels // offsets of the neighbours
	if left == p.Width-1 {
		right = 0
	}
	if top == p.Height-1 {
		below = 0
	}
	at := (top*p.Width + left) * p.Channels
	for c := range sums {
		a, b := float64(p.Pix[at+c]), float64(p.Pix[at+c+right])
		d, e := float64(p.Pix[at+c+below]), float64(p.Pix[at+c+below+right])
		upper, lower := a+fx*(b-a), d+fx*(e-d)
		sums[c] += upper + fy*(lower-upper)
	}
}
