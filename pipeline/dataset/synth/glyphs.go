package synth

// A script is an invented alphabet: each letter is a few strokes on a grid
// three wide and five high, so that text has the repeated parts of real text.
type script [][][2]point

func newScript(letters int, s *stream) script {
	out := make(script, letters)
	for i := range out {
		node := func() point { return point{float64(s.intN(3)), float64(s.intN(3) * 2)} }
		at := node()
		for range 2 + s.intN(3) {
			to := node()
			for to == at {
				to = node()
			}
			out[i] = append(out[i], [2]point{at, to})
			if s.chance(0.75) {
				at = to // goes on where it ended
			} else {
				at = node()
			}
		}
	}
	return out
}

// write sets one line of random words, letters height texels high, from the
// given point of the base line's left end in direction axis, at most width
// texels long.
func (p *plane) write(text script, from point, height, width float64, axis point, with paint, s *stream) {
	unit := height / 4
	thickness := float64(unit * 0.75)
	across := point{-axis.y, axis.x}
	word := 2 + s.intN(7)
	for x := 0.0; x+float64(3*unit) < width; x += float64(3.4 * unit) {
		if word == 0 {
			word = 2 + s.intN(7)
			continue
		}
		word--
		for _, line := range text[s.intN(len(text))] {
			var ends [2]point
			for i, node := range line {
				ends[i] = from.plus(axis.times(x + float64(node.x*unit))).plus(across.times(float64((node.y - 4) * unit)))
			}
			p.stroke(ends[:], thickness, with)
		}
	}
}

// paragraph sets lines of text in a box of the given size whose upper left
// corner is at.
func (p *plane) paragraph(text script, at point, height, width, depth float64, axis point, with paint, s *stream) {
	across := point{-axis.y, axis.x}
	pitch := float64(1.9 * height)
	for y := pitch; y <= depth; y += pitch {
		length := width
		if s.chance(0.2) {
			length = float64(width * s.between(0.3, 0.95)) // end of a paragraph
		}
		p.write(text, at.plus(across.times(y)), height, length, axis, with, s)
	}
}
