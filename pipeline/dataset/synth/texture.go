package synth

// A style says what distinguishes the texture of one scene from that of
// another.
type style struct {
	palette         [5]colour
	smallest        float64 // radius of a leaf, texels
	largest         float64 // the same
	grain           float64 // contrast of the grain, as a share of a leaf's colour
	straight, strip float64 // probabilities: a cut follows the plane's axes; a leaf is a strip
}

func newStyle(p *plane, s *stream) style {
	st := style{
		smallest: s.between(5, 12),
		largest:  float64(s.between(0.15, 0.4) * float64(min(p.w, p.h))),
		grain:    s.between(0.1, 0.3),
		strip:    s.between(0, 0.4),
	}
	if s.chance(0.5) { // like man-made structures
		st.straight = s.between(0.4, 0.9)
	}
	saturation := s.between(0.3, 0.8)
	for i := range st.palette {
		for k := range st.palette[i] {
			st.palette[i][k] = 1 - float64(saturation*s.unit())
		}
	}
	return st
}

// layers is how many times the leaves would cover the plane side by side.
const layers = 5

// paint covers the plane with dead leaves: shapes of random size and colour
// that occlude each other, as many in each octave of size as cover the same
// area. Such pictures share the statistics of natural images at all scales
// (Lee, Mumford and Huang, Occlusion Models for Natural Images, IJCV 2001).
// Fractal noise is the grain of the leaves.
func (p *plane) paint(s *stream) {
	st := newStyle(p, s)
	c := canvas{p, fractal(p.w, p.h, s), make([]float32, p.w*p.h)}
	for i := range c.bare {
		c.bare[i] = 1
	}
	for area := float64(layers * float64(p.w*p.h)); area > 0; {
		l := newLeaf(p, &st, s)
		area -= float64(3 * square(l.radius))
		c.fill(l)
	}
	c.fill(leaf{radius: float64(p.w + p.h), colour: st.palette[0].times(0.3), grain: st.grain})
}

// A leaf is a disc that straight cuts have left a part of.
type leaf struct {
	centre point
	radius float64
	cuts   []cut
	colour colour
	slope  point   // by which share the leaf gets brighter per texel
	grain  float64 // contrast
}

// A cut takes away what is farther from the leaf's centre than distance, in
// the direction of the unit vector normal.
type cut struct {
	normal   point
	distance float64
}

func newLeaf(p *plane, st *style, s *stream) leaf {
	// The density ∝ radius⁻³ has the inverse square for distribution function.
	r := 1 / sqrt(lerp(1/square(st.smallest), 1/square(st.largest), s.unit()))
	l := leaf{
		centre: point{s.between(-r, float64(p.w)+r), s.between(-r, float64(p.h)+r)},
		radius: r,
		colour: st.palette[s.intN(len(st.palette))].times(square(s.between(0.2, 1))),
		slope:  direction(s).times(s.between(0, 0.5) / r),
		grain:  float64(s.sign() * st.grain),
	}
	towards := func() point {
		if s.chance(st.straight) {
			return [...]point{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}[s.intN(4)]
		}
		return direction(s)
	}
	if s.chance(st.strip) {
		n, thickness := towards(), float64(r*s.between(0.06, 0.25))
		l.cuts = append(l.cuts, cut{n, thickness}, cut{n.times(-1), thickness})
	}
	for range s.intN(6) {
		l.cuts = append(l.cuts, cut{towards(), float64(r * s.between(0.2, 0.8))})
	}
	return l
}

// A canvas is a plane that leaves are painted on, from the uppermost down.
type canvas struct {
	*plane
	grain []float32 // of every texel
	bare  []float32 // share of every texel that no leaf covers yet
}

// fill paints a leaf where the plane is bare. The share of a texel that it
// covers follows from the distance of the texel's centre from the leaf's edge.
func (p *canvas) fill(l leaf) {
	reach := l.radius + 1
	for y := max(0, floor(l.centre.y-reach)); y <= min(p.h-1, floor(l.centre.y+reach)); y++ {
		dy := float64(y) - l.centre.y
		half := sqrt(max(0, square(reach)-square(dy)))
		for x := max(0, floor(l.centre.x-half)); x <= min(p.w-1, floor(l.centre.x+half)); x++ {
			bare := &p.bare[y*p.w+x]
			if *bare == 0 {
				continue
			}
			dx := float64(x) - l.centre.x
			outside := sqrt(dot(dx, dx, dy, dy)) - l.radius
			for _, c := range l.cuts {
				outside = max(outside, dot(c.normal.x, dx, c.normal.y, dy)-c.distance)
			}
			if outside >= 0.5 {
				continue
			}
			share := float32(float64(*bare) * min(1, 0.5-outside))
			if *bare -= share; *bare < 1.0/256 {
				share, *bare = share+*bare, 0
			}
			bright := 1 + dot(l.slope.x, dx, l.slope.y, dy) + float64(l.grain*float64(p.grain[y*p.w+x]))
			p.add(x, y, l.colour.times(float64(float64(share)*max(0, bright))))
		}
	}
}

// fractal returns noise with values near ±1 for every texel: the sum of
// random values on lattices of spacing 2, 4, 8, … 256 texels, smoothly
// interpolated, those of a lattice weaker than those of the next coarser one.
func fractal(w, h int, s *stream) []float32 {
	sum := make([]float32, w*h)
	strength := float32(0.8)
	for spacing := 256; spacing >= 2; spacing /= 2 {
		columns := w/spacing + 2
		lattice := make([]float32, columns*(h/spacing+2))
		for i := range lattice {
			lattice[i] = float32(s.between(-1, 1))
		}
		ease := make([]float32, spacing)
		for i := range ease {
			ease[i] = float32(smoothstep(float64(i) / float64(spacing)))
		}
		column := make([]float32, columns)
		for y := range h {
			upper := lattice[y/spacing*columns:]
			for i := range column {
				column[i] = blend32(upper[i], upper[columns+i], ease[y%spacing])
			}
			for x := range w {
				i := x / spacing
				v := blend32(column[i], column[i+1], ease[x%spacing])
				sum[y*w+x] += float32(strength * v)
			}
		}
		strength = float32(strength * 0.8)
	}
	return sum
}

func blend32(a, b, t float32) float32 { return a + float32((b-a)*t) }
