package synth

// paintBricks fills the plane with a brick wall in running bond: many parts
// that look nearly alike.
func paintBricks(p *plane, s *stream) {
	length, height := s.between(104, 140), s.between(38, 50)
	margin := s.between(1.7, 3) // of a brick, filled with mortar
	clay := s.between(0, 0.09)
	mortar := hue(s.unit(), 0.1, s.between(0.45, 0.7))
	grain := fractal(p.w, p.h, 3, 6, 0.75, s)
	warp := fractal(p.w, p.h, 3, 6, 0.5, s)
	columns := int(float64(p.w)/length) + 3
	rows := int(float64(p.h)/height) + 3
	type brick struct {
		colour colour
		dx, dy int
	}
	wall := make([]brick, columns*rows)
	for i := range wall {
		c := hue(clay+s.between(-0.02, 0.03), s.between(0.3, 0.65), s.between(0.4, 0.72))
		if s.chance(0.1) {
			c = c.times(s.between(0.35, 0.6)) // burnt
		}
		wall[i] = brick{c, s.intN(p.w), s.intN(p.h)}
	}
	starts := make([]float64, rows)
	for r := range starts {
		starts[r] = float64(length*float64(r%2)*0.5) + s.between(-6, 6)
	}
	for y := range p.h {
		for x := range p.w {
			wobble := float64(1.6 * warp.at(x, y))
			v := float64(y) + wobble
			r := min(max(0, int(v/height)), rows-1)
			u := float64(x) + starts[r] + wobble
			c := min(max(0, int(u/length)), columns-1)
			b := &wall[r*columns+c]
			fromLeft, fromTop := u-float64(float64(c)*length), v-float64(float64(r)*height)
			edge := min(fromLeft, length-fromLeft, fromTop, height-fromTop) - margin
			relief := 1 + float64(0.16*(0.5-fromTop/height))
			face := b.colour.times(max(0.1, float64(relief*(1+float64(0.10*grain.at(x+b.dx, y+b.dy))))))
			bed := mortar.times(max(0.1, 1+float64(0.10*grain.at(x, y))))
			p.set(x, y, bed.towards(face, smoothstep(edge/3)))
		}
	}
	p.specks(2400, 4, 24, newPalette(5, 0.25, s), 0.6, s)
	p.cracks(14, s)
	p.posters(9, s)
	p.graffiti(8+s.intN(6), s)
}
