package synth

// paintLeaves covers the plane with overlapping leaves of all sizes. Opaque
// shapes whose sizes follow an inverse cube law, the dead leaves model, have
// the statistics of natural images (Lee, Mumford, Huang, IJCV 2001).
func paintLeaves(p *plane, s *stream) {
	colours := newPalette(8, s.between(0.4, 0.75), s)
	grain := fractal(p.w, p.h, 2, 6, 0.6, s)
	area := 0.0
	for area < float64(4*float64(p.w)*float64(p.h)) {
		area += p.dropLeaf(spread(26, 230, s), colours, grain, s)
	}
	for range 350 {
		p.dropLeaf(spread(16, 60, s), colours, grain, s)
	}
	p.specks(600, 4, 12, newPalette(5, 0.7, s), 0.9, s)
}

// dropLeaf paints one leaf or pebble of the given half length on top of the
// others and returns its area, roughly.
func (p *plane) dropLeaf(r float64, colours palette, grain field, s *stream) float64 {
	at, axis := p.anywhere(s), anyDirection(s)
	with := paint{
		colour: colours.any(s), opacity: 1,
		grain: grain, contrast: s.between(0.01, 0.08), dx: s.intN(p.w), dy: s.intN(p.h),
		rise: anyDirection(s).times(s.between(0, 0.5) / r), origin: at,
	}
	if s.chance(0.3) { // a pebble
		p.fill(ellipse(at, r, float64(r*s.between(0.5, 1)), axis), with)
		return float64(2.3 * square(r))
	}
	length, width, bend := float64(2*r), float64(r*s.between(0.5, 1.1)), s.between(-0.2, 0.2)
	p.fill(leaf(at.plus(point{r / 14, r / 10}), length, width, bend, axis), paint{opacity: 0.35}) // its shadow
	p.fill(leaf(at, length, width, bend, axis), with)

	vein := paint{colour: with.colour.times(0.35), opacity: 0.8}
	on := func(t, side float64) point {
		return onLeaf(t, side, length, width, bend).turned(axis.x, axis.y).plus(at)
	}
	p.stroke([]point{on(0.05, 0), on(0.3, 0), on(0.5, 0), on(0.7, 0), on(0.95, 0)}, max(1.5, r/22), vein)
	for i := 1; i < 6 && r > 24; i++ {
		t := float64(i) / 7
		p.stroke([]point{on(t+0.12, -0.85), on(t, 0), on(t+0.12, 0.85)}, max(1.2, r/40), vein)
	}
	return float64(1.3 * r * width)
}
