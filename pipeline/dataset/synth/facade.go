package synth

// paintFacade fills the plane with a house front: a regular grid of windows
// that differ in detail, ledges and signs.
func paintFacade(p *plane, s *stream) {
	plaster := hue(s.unit(), s.between(0.1, 0.35), s.between(0.55, 0.85))
	rough := fractal(p.w, p.h, 2, 5, 0.75, s)
	stains := fractal(p.w, p.h, 4, 8, 0.7, s)
	for y := range p.h {
		for x := range p.w {
			f := 1 + float64(0.03*rough.at(x, y)) + float64(0.10*stains.at(x, y))
			p.set(x, y, plaster.times(max(0.2, f)))
		}
	}
	p.specks(3400, 5, 30, palette{plaster.times(0.5), plaster.times(0.75), plaster.times(1.25)}, 0.6, s)
	p.cracks(22, s)
	stepX, stepY := s.between(150, 200), s.between(190, 250)
	frame := hue(s.unit(), s.between(0, 0.6), s.between(0.35, 0.95))
	for y := stepY / 2; y < float64(p.h)+stepY; y += stepY {
		p.ledge(y+float64(0.44*stepY), float64(stepY*0.06), plaster, s)
		for x := stepX / 2; x < float64(p.w)+stepX; x += stepX {
			p.window(point{x, y}, float64(stepX*0.56), float64(stepY*0.62), frame, s)
		}
	}
	letters := newScript(14, s)
	for range 14 {
		at := p.anywhere(s)
		width, height := s.between(150, 420), s.between(44, 90)
		p.fill(box(at, width, height, point{1, 0}), paint{colour: vivid(s), opacity: 1})
		p.write(letters, at.plus(point{-float64(0.45 * width), float64(0.28 * height)}), float64(height*0.55), float64(0.9*width),
			point{1, 0}, paint{colour: hue(s.unit(), 0.1, s.between(0.05, 0.95)), opacity: 1}, s)
	}
}

// ledge draws a cornice across the whole front, with blocks under it.
func (p *plane) ledge(y, thickness float64, plaster colour, s *stream) {
	middle := float64(p.w) / 2
	p.fill(box(point{middle, y}, float64(p.w), thickness, point{1, 0}), paint{colour: plaster.times(1.3), opacity: 1})
	p.fill(box(point{middle, y + float64(thickness*0.8)}, float64(p.w), float64(thickness*0.6), point{1, 0}), paint{colour: plaster.times(0.35), opacity: 1})
	for x := 0.0; x < float64(p.w); x += float64(thickness * 2.4) {
		p.fill(box(point{x, y + float64(thickness*1.1)}, float64(thickness*s.between(0.8, 1.2)), thickness, point{1, 0}), paint{colour: plaster.times(s.between(0.7, 1.2)), opacity: 1})
	}
}

// window draws one window: panes with reflections, and behind them curtains,
// blinds, a plant, or nothing.
func (p *plane) window(at point, width, height float64, frame colour, s *stream) {
	upright := point{1, 0}
	rect := func(u, v, w, h float64, with paint) {
		p.fill(box(at.plus(point{float64(u * width), float64(v * height)}), float64(w*width), float64(h*height), upright), with)
	}
	rect(0, 0, 1.1, 1.08, paint{colour: frame.times(0.35), opacity: 1})
	rect(0, 0, 1.02, 1.02, paint{colour: frame, opacity: 1})
	glass := hue(s.between(0.5, 0.68), s.between(0.1, 0.5), s.between(0.12, 0.5))
	rise := point{s.between(-1, 1) / width, s.between(-1, 1) / height}
	rect(0, 0, 0.9, 0.9, paint{colour: glass, opacity: 1, rise: rise, origin: at})
	switch s.intN(4) {
	case 0: // blinds, drawn down part of the way
		c, low := hue(s.unit(), 0.3, s.between(0.5, 0.9)), s.between(-0.2, 0.42)
		for v := -0.43; v < low; v += 0.04 {
			rect(0, v, 0.88, 0.022, paint{colour: c.times(s.between(0.8, 1.1)), opacity: 0.95})
		}
	case 1: // curtains
		c := vivid(s)
		for i := range 5 {
			u := 0.42 - float64(0.05*float64(i))
			w := s.between(0.03, 0.05)
			rect(u, 0, w, 0.88, paint{colour: c.times(s.between(0.6, 1.1)), opacity: 0.95})
			rect(-u, 0, w, 0.88, paint{colour: c.times(s.between(0.6, 1.1)), opacity: 0.95})
		}
	case 2: // plants
		green := palette{hue(0.3, 0.6, 0.3), hue(0.25, 0.7, 0.5), hue(0.36, 0.5, 0.65), hue(0.95, 0.7, 0.8)}
		for range 26 {
			foot := at.plus(point{float64(width * s.between(-0.4, 0.4)), float64(height * s.between(0.12, 0.42))})
			r := float64(width * s.between(0.04, 0.11))
			p.fill(leaf(foot, float64(2*r), r, s.between(-0.2, 0.2), anyDirection(s)), paint{colour: green.any(s), opacity: 1})
		}
	}
	for range 1 + s.intN(3) { // reflections
		u, v := s.between(-0.3, 0.3), s.between(-0.3, 0.3)
		centre := at.plus(point{float64(u * width), float64(v * height)})
		p.fill(ragged(centre, float64(width*s.between(0.08, 0.2)), 4+s.intN(3), s), paint{colour: hue(0.6, 0.15, 0.9), opacity: s.between(0.15, 0.5)})
	}
	bar := paint{colour: frame.times(s.between(0.8, 1.1)), opacity: 1}
	rect(0, 0, 0.05, 0.95, bar)
	rect(0, -0.15, 0.95, 0.035, bar)
	rect(0, 0.56, 1.25, 0.07, paint{colour: frame.times(1.2), opacity: 1})
	rect(0, 0.61, 1.2, 0.04, paint{colour: colour{}, opacity: 0.5})
}
