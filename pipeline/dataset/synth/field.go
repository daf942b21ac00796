package synth

// A field is a function of the plane's texels, row by row, of mean 0 and
// standard deviation 1.
type field struct {
	w, h int
	v    []float32
}

// at returns the value at a texel, the field repeating beyond its edges.
func (f field) at(x, y int) float64 {
	x, y = x%f.w, y%f.h
	if x < 0 {
		x += f.w
	}
	if y < 0 {
		y += f.h
	}
	return float64(f.v[y*f.w+x])
}

// between returns the value at a position between texels, bilinearly, the
// field going on at its edges as it ends there.
func (f field) between(x, y float64) float64 {
	x, y = clamp(x, 0, float64(f.w-1)), clamp(y, 0, float64(f.h-1))
	i, j := min(int(x), f.w-2), min(int(y), f.h-2)
	u, v := x-float64(i), y-float64(j)
	row := f.v[j*f.w+i:]
	top := lerp(float64(row[0]), float64(row[1]), u)
	bottom := lerp(float64(row[f.w]), float64(row[f.w+1]), u)
	return lerp(top, bottom, v)
}

// fractal makes a random field with structure from 2^finest up to about
// 2^coarsest texels; roughness is the strength of each level beside the next
// coarser one: near 0 for clouds, near 1 for gravel.
//
// It is successive random addition (Saupe, in The Science of Fractal Images,
// 1988, ch. 2) on cubic B-spline subdivision: random values on a coarse grid
// are refined to twice the resolution, weaker ones are added, and so on. The
// result is as smooth as its finest level, without the creases of lattice
// noise, at a few operations a texel for all levels together.
func fractal(w, h, finest, coarsest int, roughness float64, s *stream) field {
	sizes := make([][2]int, coarsest+1)
	sizes[0] = [2]int{w, h}
	for l := 1; l <= coarsest; l++ {
		sizes[l] = [2]int{sizes[l-1][0]/2 + 3, sizes[l-1][1]/2 + 3}
	}
	f := field{sizes[coarsest][0], sizes[coarsest][1], nil}
	f.v = make([]float32, f.w*f.h)
	strength := 1.0
	for l := coarsest; ; l-- {
		if l >= finest {
			f.scatter(float32(strength), s)
			strength = float64(strength * roughness)
		}
		if l == 0 {
			break
		}
		f = f.refined(sizes[l-1][0], sizes[l-1][1])
	}
	f.standardise()
	return f
}

// scatter adds independent random values from [-strength, strength).
func (f field) scatter(strength float32, s *stream) {
	for i := 0; i < len(f.v); i += 4 {
		u := s.bits()
		for j := i; j < min(i+4, len(f.v)); j++ {
			r := float32(int(u&0xffff)-1<<15) / (1 << 15)
			f.v[j] += float32(strength * r)
			u >>= 16
		}
	}
}

// refined returns the field at twice the resolution, by cubic B-spline
// subdivision (Lane and Riesenfeld, PAMI 1980): masks (1 6 1)/8 and (4 4)/8.
func (f field) refined(w, h int) field {
	wide := make([]float32, w*f.h)
	for y := range f.h {
		src, dst := f.v[y*f.w:(y+1)*f.w], wide[y*w:(y+1)*w]
		for x := range dst {
			a, b, c := src[x/2], src[x/2+1], src[x/2+2]
			if x%2 == 0 {
				dst[x] = (a + c + float32(6*b)) / 8
			} else {
				dst[x] = (b + c) / 2
			}
		}
	}
	out := field{w, h, make([]float32, w*h)}
	for y := range h {
		a := wide[y/2*w : (y/2+1)*w]
		b := wide[(y/2+1)*w : (y/2+2)*w]
		c := wide[(y/2+2)*w : (y/2+3)*w]
		dst := out.v[y*w : (y+1)*w]
		for x := range dst {
			if y%2 == 0 {
				dst[x] = (a[x] + c[x] + float32(6*b[x])) / 8
			} else {
				dst[x] = (b[x] + c[x]) / 2
			}
		}
	}
	return out
}

func (f field) standardise() {
	var sum, squares float64
	for _, v := range f.v {
		sum += float64(v)
		squares += square(float64(v))
	}
	n := float64(len(f.v))
	mean := sum / n
	deviation := sqrt(max(squares/n-square(mean), 1e-12))
	for i, v := range f.v {
		f.v[i] = float32((float64(v) - mean) / deviation)
	}
}
