package patchcut

import "math"

// A plane is one channel of an image, or the same made smaller.
type plane struct {
	w, h  int
	pix   []float32 // w×h
	scale float64   // from positions in the image to positions in the plane, a power of two
}

// at returns the value at a position in pixels of the image by bilinear interpolation. Beyond the
// edge, the outermost pixels are repeated.
func (p plane) at(x, y float64) float32 {
	x = min(max(x*p.scale, 0), float64(p.w-1)) // clamp before converting to an integer: x may be any number
	y = min(max(y*p.scale, 0), float64(p.h-1))
	left, top := int(x), int(y)
	right, bottom := min(left+1, p.w-1), min(top+1, p.h-1)
	fx, fy := float32(x-float64(left)), float32(y-float64(top))
	upper := mix(p.pix[top*p.w+left], p.pix[top*p.w+right], fx)
	lower := mix(p.pix[bottom*p.w+left], p.pix[bottom*p.w+right], fx)
	return mix(upper, lower, fy)
}

// mix returns a for t = 0 and b for t = 1, and exactly a where they are equal.
// The conversion keeps compilers from fusing multiplication and addition, so
// that every machine gives the same bits.
func mix(a, b, t float32) float32 { return a + float32((b-a)*t) }

// halved returns the plane at half the size: pixel (i, j) is at the former
// position (2i, 2j). It is a weighted mean of the 5×5 pixels around it with the
// binomial weights 1, 4, 6, 4, 1 (Burt, Adelson: The Laplacian Pyramid as a
// Compact Image Code, IEEE Trans. Communications 1983, with a = 3/8).
func (p plane) halved() plane {
	narrow := plane{w: (p.w + 1) / 2, h: p.h}
	narrow.pix = make([]float32, narrow.w*narrow.h)
	for y := range p.h {
		row := p.pix[y*p.w : (y+1)*p.w]
		for i := range narrow.w {
			x := 2 * i
			narrow.pix[y*narrow.w+i] = binomial(row[max(x-2, 0)], row[max(x-1, 0)], row[x], row[min(x+1, p.w-1)], row[min(x+2, p.w-1)])
		}
	}
	small := plane{w: narrow.w, h: (p.h + 1) / 2, scale: p.scale / 2}
	small.pix = make([]float32, small.w*small.h)
	for j := range small.h {
		y := 2 * j
		a, b, c := narrow.row(max(y-2, 0)), narrow.row(max(y-1, 0)), narrow.row(y)
		d, e := narrow.row(min(y+1, p.h-1)), narrow.row(min(y+2, p.h-1))
		for x := range small.w {
			small.pix[j*small.w+x] = binomial(a[x], b[x], c[x], d[x], e[x])
		}
	}
	return small
}

func (p plane) row(y int) []float32 { return p.pix[y*p.w : (y+1)*p.w] }

// binomial is exact if all five values are equal. It contains no products that
// could be fused: 4 and 6 times a number with few digits are exact.
func binomial(a, b, c, d, e float32) float32 {
	return (a + e + 4*(b+d) + float32(6*c)) / 16
}

// A pyramid is a plane at full size, half size, a quarter and so on.
type pyramid []plane

// newPyramid returns the pyramid of a plane down to the level needed for
// samples step pixels apart, but not beyond a single pixel.
func newPyramid(base plane, step float64) pyramid {
	p := pyramid{base}
	for level := 0; math.Ldexp(1, level) < step; level++ {
		top := p[level]
		if top.w == 1 && top.h == 1 {
			break
		}
		p = append(p, top.halved())
	}
	return p
}

// A view is a plane without detail finer than a given sample distance. It mixes
// the two pyramid levels whose pixel distances are nearest to the sample
// distance (Williams: Pyramidal Parametrics, SIGGRAPH 1983). For distances up
// to one pixel it is the plane itself.
type view struct {
	fine, coarse plane
	share        float32 // weight of the coarse plane
}

// view returns the view for samples step pixels apart.
func (p pyramid) view(step float64) view {
	exact := min(max(math.Log2(step), 0), float64(len(p)-1))
	whole := math.Floor(exact)
	v := view{fine: p[int(whole)], share: float32(exact - whole)}
	if v.share > 0 {
		v.coarse = p[int(whole)+1]
	}
	return v
}

// at returns the value at a position in pixels of the image.
func (v view) at(x, y float64) float32 {
	fine := v.fine.at(x, y)
	if v.share == 0 {
		return fine
	}
	return mix(fine, v.coarse.at(x, y), v.share)
}
