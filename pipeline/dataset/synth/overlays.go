package synth

// graffiti paints thick curved lines with outlines over the picture.
func (p *plane) graffiti(n int, s *stream) {
	for range n {
		a := p.anywhere(s)
		reach := func() point { return anyDirection(s).times(s.between(60, 320)) }
		b := a.plus(reach())
		c := b.plus(reach())
		path := curve(a, b, c, c.plus(reach()), 24)
		thickness := s.between(8, 34)
		if s.chance(0.6) {
			p.stroke(path, float64(thickness*1.45), paint{colour: hue(0, 0, s.between(0.05, 0.2)), opacity: 1})
		}
		p.stroke(path, thickness, paint{colour: vivid(s), opacity: 1})
	}
}

// cracks draws thin dark wandering lines.
func (p *plane) cracks(n int, s *stream) {
	for range n {
		path := wander(p.anywhere(s), 20+s.intN(60), s.between(6, 14), 0.3, s)
		p.stroke(path, s.between(1.5, 4.5), paint{colour: hue(s.unit(), 0.2, s.between(0.08, 0.25)), opacity: s.between(0.6, 0.95)})
	}
}

// specks scatters spots of many sizes, from low to high texels in radius.
func (p *plane) specks(n int, low, high float64, colours palette, opacity float64, s *stream) {
	for range n {
		r := spread(low, high, s)
		with := paint{colour: colours.any(s), opacity: float64(opacity * s.between(0.6, 1))}
		if s.chance(0.5) {
			p.fill(ellipse(p.anywhere(s), r, float64(r*s.between(0.5, 1)), anyDirection(s)), with)
		} else {
			p.fill(ragged(p.anywhere(s), r, 5+s.intN(6), s), with)
		}
	}
}

// posters hangs sheets with shapes and text on the picture, slightly askew.
func (p *plane) posters(n int, s *stream) {
	for range n {
		axis := point{1, 0}.turned(turn(s.between(-0.08, 0.08)))
		p.poster(p.anywhere(s), s.between(160, 460), s.between(160, 460), axis, s)
	}
}

func (p *plane) poster(centre point, width, height float64, axis point, s *stream) {
	sheet := hue(s.unit(), s.between(0, 0.6), s.between(0.3, 0.95))
	p.fill(box(centre.plus(point{5, 7}), width, height, axis), paint{colour: colour{}, opacity: 0.45})
	p.fill(box(centre, width, height, axis), paint{colour: sheet, opacity: 1})
	across := point{-axis.y, axis.x}
	place := func(u, v float64) point {
		return centre.plus(axis.times(float64(u * width))).plus(across.times(float64(v * height)))
	}
	small := min(width, height)
	for range 3 + s.intN(6) {
		at := place(s.between(-0.35, 0.35), s.between(-0.35, 0.05))
		r := float64(small * s.between(0.03, 0.14))
		with := paint{colour: vivid(s), opacity: 1}
		switch s.intN(3) {
		case 0:
			p.fill(ellipse(at, r, r, axis), with)
		case 1:
			p.fill(ragged(at, r, 3+s.intN(5), s), with)
		default:
			p.fill(box(at, float64(2*r), float64(r*s.between(0.5, 2)), axis.turned(turn(s.between(-0.4, 0.4)))), with)
		}
	}
	ink := paint{colour: hue(s.unit(), 0.5, 0.15), opacity: 1}
	if sheet[1] < 0.2 {
		ink.colour = hue(s.unit(), 0.2, 0.95)
	}
	p.write(newScript(9, s), place(-0.42, 0.22), float64(small*0.09), float64(0.84*width), axis, ink, s)
	p.paragraph(newScript(16, s), place(-0.42, 0.25), float64(small*0.035), float64(0.84*width), float64(0.2*height), axis, ink, s)
}
