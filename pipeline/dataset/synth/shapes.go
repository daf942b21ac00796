package synth

// ellipse returns the outline of an ellipse with half axes a and b, the first
// in direction of the unit vector axis.
func ellipse(centre point, a, b float64, axis point) []point {
	step := 1
	switch size := max(a, b); {
	case size < 6:
		step = 4
	case size < 40:
		step = 2
	}
	var out []point
	for i := 0; i < len(directions); i += step {
		d := directions[i]
		out = append(out, point{float64(d.x * a), float64(d.y * b)}.turned(axis.x, axis.y).plus(centre))
	}
	return out
}

// leaf returns the outline of a leaf, pointed at both ends of its long axis,
// slightly bent.
func leaf(centre point, length, width, bend float64, axis point) []point {
	const n = 10
	out := make([]point, 0, 2*n)
	for i := range 2 * n {
		t := float64(i) / n // along and back
		side := 1.0
		if i > n {
			t, side = 2-t, -1
		}
		out = append(out, onLeaf(t, side, length, width, bend).turned(axis.x, axis.y).plus(centre))
	}
	return out
}

// onLeaf returns a point of a leaf that lies along the x axis: t from 0 to 1
// along it, side from -1 to 1 across.
func onLeaf(t, side, length, width, bend float64) point {
	swell := float64(4*t) * (1 - t)
	across := dot(side/2, width, bend, length)
	return point{float64(length * (t - 0.5)), float64(across * swell)}
}

// box returns a rectangle around centre, its sides along axis and across.
func box(centre point, width, height float64, axis point) []point {
	w, h := width/2, height/2
	out := []point{{-w, -h}, {w, -h}, {w, h}, {-w, h}}
	for i, c := range out {
		out[i] = c.turned(axis.x, axis.y).plus(centre)
	}
	return out
}

// ragged returns a polygon of n corners at random distances around centre.
func ragged(centre point, radius float64, n int, s *stream) []point {
	out := make([]point, n)
	start := s.intN(len(directions))
	for i := range out {
		d := directions[(start+i*len(directions)/n)%len(directions)]
		out[i] = d.times(float64(radius * s.between(0.55, 1.15))).plus(centre)
	}
	return out
}

// stroke paints a line of the given thickness along a path, round at its
// joints and ends.
func (p *plane) stroke(path []point, thickness float64, with paint) {
	for i, b := range path {
		if thickness > 3 {
			p.fill(ellipse(b, thickness/2, thickness/2, point{1, 0}), with)
		}
		if i == 0 {
			continue
		}
		d := b.minus(path[i-1])
		if l := d.length(); l > 0 {
			across := point{-d.y, d.x}.times(thickness / 2 / l)
			a := path[i-1]
			p.fill([]point{a.plus(across), b.plus(across), b.minus(across), a.minus(across)}, with)
		}
	}
}

// curve returns points of the cubic Bézier curve with the given control
// points.
func curve(a, b, c, d point, pieces int) []point {
	out := make([]point, 0, pieces+1)
	for i := range pieces + 1 {
		t := float64(i) / float64(pieces)
		mid := func(p, q point) point { return point{lerp(p.x, q.x, t), lerp(p.y, q.y, t)} }
		ab, bc, cd := mid(a, b), mid(b, c), mid(c, d)
		out = append(out, mid(mid(ab, bc), mid(bc, cd)))
	}
	return out
}

// wander returns a random walk that mostly keeps its direction, as cracks and
// roads do.
func wander(from point, steps int, step, unrest float64, s *stream) []point {
	out := make([]point, steps)
	d := directions[s.intN(len(directions))].times(step)
	for i := range out {
		out[i] = from
		from = from.plus(d)
		d = d.turned(turn(s.between(-unrest, unrest)))
	}
	return out
}

// anywhere draws a point of the plane.
func (p *plane) anywhere(s *stream) point {
	return point{s.between(0, float64(p.w)), s.between(0, float64(p.h))}
}

// anyDirection draws a unit vector.
func anyDirection(s *stream) point { return directions[s.intN(len(directions))] }

// spread draws a length from a power law between low and high: as many in
// each octave as fill the same area (density ∝ length⁻³).
func spread(low, high float64, s *stream) float64 {
	// Inverse of the distribution function, whose square root is exact.
	a, b := 1/square(low), 1/square(high)
	return 1 / sqrt(lerp(a, b, s.unit()))
}
