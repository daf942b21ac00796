package synth

// paintPrint fills the plane with printed pages side by side: columns of text
// in several sizes, headlines, pictures and coloured boxes.
func paintPrint(p *plane, s *stream) {
	clouds := fractal(p.w, p.h, 2, 8, 0.62, s)
	wood := hue(s.unit(), 0.4, 0.35)
	for y := range p.h {
		for x := range p.w {
			p.set(x, y, wood.times(1+float64(0.2*clouds.at(x, y))))
		}
	}
	width, height := s.between(560, 700), s.between(560, 720)
	for top := -s.between(0, 200); top < float64(p.h); top += height + 24 {
		for left := -s.between(0, 300); left < float64(p.w); left += width + 24 {
			p.page(point{left, top}, width, height, clouds, s)
		}
	}
	for range 3 { // folds
		at, d := p.anywhere(s), anyDirection(s)
		p.stroke([]point{at.minus(d.times(900)), at.plus(d.times(900))}, 3, paint{opacity: 0.3})
	}
	p.specks(250, 4, 50, newPalette(5, 0.6, s), 0.3, s)
}

// page prints one page: a grid of blocks, each of one kind.
func (p *plane) page(at point, width, height float64, clouds field, s *stream) {
	axis := point{1, 0}.turned(turn(s.between(-0.02, 0.02)))
	across := point{-axis.y, axis.x}
	centre := at.plus(point{float64(width / 2), float64(height / 2)})
	paper := hue(s.unit(), s.between(0.02, 0.3), s.between(0.7, 0.97))
	p.fill(box(centre.plus(point{4, 6}), width, height, axis), paint{opacity: 0.5})
	p.fill(box(centre, width, height, axis), paint{colour: paper, opacity: 1})
	ink := paint{colour: hue(s.unit(), 0.5, s.between(0.08, 0.25)), opacity: 0.95}
	head, body := newScript(12, s), newScript(22, s)
	columns, rows := 2+s.intN(2), 3+s.intN(2)
	blockWidth, blockHeight := (width-20)/float64(columns), (height-20)/float64(rows)
	for i := range columns * rows {
		u := 10 + float64(float64(i%columns)*blockWidth)
		v := 10 + float64(float64(i/columns)*blockHeight)
		corner := at.plus(axis.times(u + 8)).plus(across.times(v + 6))
		w, h := blockWidth-16, blockHeight-14
		middle := corner.plus(axis.times(float64(w / 2))).plus(across.times(float64(h / 2)))
		switch s.intN(5) {
		case 0: // a headline and two sizes of text
			p.write(head, corner.plus(across.times(40)), s.between(24, 34), w, axis, paint{colour: vivid(s).times(0.5), opacity: 1}, s)
			p.paragraph(body, corner.plus(across.times(44)), s.between(12, 16), w, h-50, axis, ink, s)
		case 1:
			p.paragraph(body, corner, s.between(12, 22), w, h, axis, ink, s)
		case 2: // a photograph
			p.photograph(middle, w, h, axis, clouds, s)
		case 3: // a coloured box with large letters
			p.fill(box(middle, w, h, axis), paint{colour: vivid(s), opacity: 1})
			p.paragraph(head, corner, s.between(24, 44), w, h, axis, paint{colour: hue(s.unit(), 0.1, s.between(0.05, 0.97)), opacity: 1}, s)
		default: // a chart
			for b := range 9 {
				t := (float64(b) + 0.5) / 9
				tall := float64(h * s.between(0.1, 0.95))
				foot := corner.plus(axis.times(float64(t * w))).plus(across.times(h - float64(tall/2)))
				p.fill(box(foot, float64(w*0.08), tall, axis), paint{colour: vivid(s), opacity: 1})
			}
		}
	}
}

// photograph prints a picture of clouds with shapes before them.
func (p *plane) photograph(middle point, w, h float64, axis point, clouds field, s *stream) {
	dx, dy := s.intN(p.w), s.intN(p.h)
	p.fill(box(middle, w, h, axis), paint{colour: hue(s.unit(), 0.5, 0.6), opacity: 1, grain: clouds, contrast: 0.4, dx: dx, dy: dy})
	for range 14 + s.intN(30) {
		at := middle.plus(axis.times(float64(w * s.between(-0.4, 0.4)))).plus(point{-axis.y, axis.x}.times(float64(h * s.between(-0.4, 0.4))))
		r := float64(min(w, h) * s.between(0.02, 0.1))
		p.fill(ragged(at, r, 4+s.intN(9), s), paint{colour: vivid(s), opacity: s.between(0.6, 1), grain: clouds, contrast: 0.15, dx: dy, dy: dx})
	}
}
