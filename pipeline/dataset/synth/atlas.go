package synth

// paintAtlas fills the plane with a map: coloured heights with contour lines,
// roads, villages and names.
func paintAtlas(p *plane, s *stream) {
	land := fractal(p.w, p.h, 2, 8, 0.5, s)
	warp := fractal(p.w, p.h, 3, 8, 0.5, s)
	grain := fractal(p.w, p.h, 2, 5, 0.7, s)
	colours := newPalette(7, s.between(0.35, 0.6), s)
	bend := s.between(10, 34)
	bands := s.between(3.2, 4.6)
	line := hue(s.unit(), 0.5, 0.2)
	height := func(x, y int) float64 {
		dx, dy := float64(bend*warp.at(x, y)), float64(bend*warp.at(x+p.w/2, y+p.h/2))
		return land.between(float64(x)+dx, float64(y)+dy)
	}
	above := make([]float64, p.w)
	for x := range above {
		above[x] = height(x, 0)
	}
	for y := range p.h {
		left := above[0]
		for x := range p.w {
			z := height(x, y)
			level := float64(z * bands)
			// How far the nearest contour is, in texels, by the slope.
			slope := float64(bands*sqrt(dot(z-left, z-left, z-above[x], z-above[x]))) + 1e-4
			part := level - float64(floor(level))
			distance := min(part, 1-part) / slope
			c := colours.along(0.5 + float64(0.19*float64(floor(level))/bands))
			c = c.times(max(0.1, 1+float64(0.10*grain.at(x, y))+clamp(float64(6*(z-left)), -0.3, 0.3)))
			p.set(x, y, c.towards(line, float64(0.85*(1-smoothstep((distance-1)/1.5)))))
			left, above[x] = z, z
		}
	}
	p.country(colours, s)
}

// country adds what people built: fields, roads, houses, names.
func (p *plane) country(colours palette, s *stream) {
	for range 160 {
		p.fill(ragged(p.anywhere(s), s.between(14, 60), 4+s.intN(3), s), paint{colour: colours.any(s), opacity: s.between(0.35, 0.8)})
	}
	for range 26 {
		path := wander(p.anywhere(s), 60, s.between(14, 40), 0.13, s)
		thickness := s.between(4, 13)
		p.stroke(path, thickness+4, paint{colour: hue(0, 0, 0.15), opacity: 0.9})
		p.stroke(path, thickness, paint{colour: hue(s.between(0, 0.17), s.between(0, 0.8), 0.95), opacity: 1})
	}
	for range 70 {
		village := p.anywhere(s)
		axis := anyDirection(s)
		for range 4 + s.intN(14) {
			at := village.plus(point{s.between(-60, 60), s.between(-60, 60)})
			p.fill(box(at, s.between(6, 22), s.between(6, 16), axis), paint{colour: hue(s.unit(), s.between(0.2, 0.9), s.between(0.1, 0.5)), opacity: 1})
		}
	}
	p.specks(900, 3, 16, newPalette(5, 0.8, s), 0.9, s)
	names := newScript(24, s)
	for range 130 {
		height := spread(10, 40, s)
		axis := point{1, 0}.turned(turn(s.between(-0.3, 0.3)))
		p.write(names, p.anywhere(s), height, float64(height*s.between(4, 10)), axis, paint{colour: hue(s.unit(), 0.4, 0.08), opacity: 1}, s)
	}
}
