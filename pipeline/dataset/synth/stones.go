package synth

// A cell is one stone of a wall: what lies nearer to its seed than to others.
type cell struct {
	seed   point
	colour colour
	dx, dy int // which part of the grain it shows
}

// paintStones fills the plane with stones of about the given size: the cells
// of a Voronoi diagram of jittered seeds, with joints between them.
func paintStones(p *plane, s *stream) {
	size := s.between(84, 124)
	colours := newPalette(6, s.between(0.15, 0.5), s)
	joint := hue(s.unit(), 0.2, s.between(0.2, 0.36))
	warp := fractal(p.w, p.h, 3, 6, 0.55, s)
	grain := fractal(p.w, p.h, 3, 6, 0.7, s)
	stones := newCells(p, size, colours, s)
	light := anyDirection(s)
	jointWidth := s.between(2, 4.5)
	bend := float64(size * 0.07)
	for y := range p.h {
		for x := range p.w {
			wx, wy := warp.at(x, y), warp.at(x+p.w/2, y+p.h/3)
			q := point{float64(x) + float64(bend*wx), float64(y) + float64(bend*wy)}
			c, edge, off := stones.nearest(q)
			relief := 1 + float64(0.45/size*dot(light.x, off.x, light.y, off.y))
			mottle := 1 + float64(0.09*grain.at(x+c.dx, y+c.dy))
			stone := c.colour.times(max(0.1, float64(relief*mottle)))
			p.set(x, y, joint.towards(stone, smoothstep((edge-jointWidth)/4)))
		}
	}
	p.specks(1200, 5, 26, newPalette(4, 0.4, s), 0.75, s)
	p.cracks(26, s)
	p.graffiti(3+s.intN(4), s)
}

// cells are seeds on a jittered grid, with one row and column more on every
// side.
type cells struct {
	size    float64
	columns int
	rows    int
	all     []cell
}

func newCells(p *plane, size float64, colours palette, s *stream) *cells {
	g := &cells{size: size, columns: int(float64(p.w)/size) + 5, rows: int(float64(p.h)/size) + 5}
	g.all = make([]cell, g.columns*g.rows)
	for i := range g.all {
		at := point{float64(i%g.columns) - 2, float64(i/g.columns) - 2}
		jitter := point{s.between(0.1, 0.9), s.between(0.1, 0.9)}
		g.all[i] = cell{at.plus(jitter).times(size), colours.any(s), s.intN(p.w), s.intN(p.h)}
	}
	return g
}

// nearest returns the cell of q, how far its edge is, and where q lies from
// the cell's seed.
func (g *cells) nearest(q point) (best *cell, edge float64, off point) {
	i := int(q.x/g.size+2) - 1
	j := int(q.y/g.size+2) - 1
	first, second := 1e18, 1e18
	for r := max(0, j); r <= min(g.rows-1, j+2); r++ {
		for c := max(0, i); c <= min(g.columns-1, i+2); c++ {
			k := &g.all[r*g.columns+c]
			d := q.minus(k.seed)
			switch d2 := dot(d.x, d.x, d.y, d.y); {
			case d2 < first:
				first, second, best, off = d2, first, k, d
			case d2 < second:
				second = d2
			}
		}
	}
	return best, (sqrt(second) - sqrt(first)) / 2, off
}
