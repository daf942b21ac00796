package synth

import (
	"image"
	"image/color"
)

// A lighting is how the light falls on the plane and how the camera turns what
// reaches it into eight bits.
type lighting struct {
	gain   colour  // of each channel, linear
	curve  float64 // of the camera: below 1 lifts the dark tones, above 1 drops them
	blur   float64 // deviation of the point spread function, px
	noise  float64 // deviation in the darkest tones, grey levels
	grainy float64 // further variance of noise at full brightness, as a share
	corner float64 // share of light lost in the corners
	glare  float64 // light scattered evenly over the sensor
	shadow shadow
}

// A shadow darkens the part of the picture on one side of a line, or between
// two lines.
type shadow struct {
	depth    float64 // share of light lost
	at       point   // on the first edge, px
	normal   point   // of the edge, unit length, into the shadow
	breadth  float64 // of the shadow, px
	softness float64 // of its edges, px
}

// share returns what part of the light reaches p.
func (s shadow) share(p point) float64 {
	d := dot(s.normal.x, p.x-s.at.x, s.normal.y, p.y-s.at.y)
	dark := float64(smoothstep(d/s.softness) * smoothstep((s.breadth-d)/s.softness))
	return 1 - float64(s.depth*dark)
}

// ordinary draws the lighting of a viewpoint scene's image: much as that of
// its other images.
func ordinary(s *stream) lighting {
	gain := s.between(0.8, 1.02)
	l := lighting{curve: 1, blur: s.between(0.78, 0.84), noise: 0.12, grainy: 0.5, corner: 0.06, glare: 0.048}
	for k := range l.gain {
		l.gain[k] = float64(gain * s.between(0.97, 1.03))
	}
	return l
}

// lightings draws those of an illumination scene, of rising difficulty: every
// scene has two main changes out of exposure, colour, shadow and blur, and a
// little of the others.
func lightings(width, height int, s *stream) [6]lighting {
	strength := [4]float64{0.4, 0.4, 0.4, 0.4}
	for _, main := range s.order(4)[:2] {
		strength[main] = s.between(0.75, 1)
	}
	darker := s.chance(0.6)
	curve := s.between(0.75, 1.35)
	var cast colour
	for k := range cast {
		cast[k] = s.between(-0.5, 0.35)
	}
	w, h := float64(width), float64(height)
	fall := shadow{
		at:       point{float64(w * s.between(0.3, 0.7)), float64(h * s.between(0.3, 0.7))},
		normal:   anyDirection(s),
		breadth:  float64(w * s.between(0.25, 0.9)),
		softness: float64(w * s.between(0.02, 0.08)),
	}
	drift := anyDirection(s).times(float64(w * 0.05))
	out := [6]lighting{ordinary(s)}
	for i := 1; i < len(out); i++ {
		part := float64(i) / 5
		much := func(factor int) float64 { return float64(float64(part*strength[factor]) * s.between(0.9, 1.1)) }
		l := ordinary(s)
		exposure := 1 - float64(0.45*much(0))
		if !darker {
			exposure = 1 + float64(1.2*much(0))
		}
		tint := much(1)
		for k := range l.gain {
			l.gain[k] = float64(l.gain[k]*exposure) * (1 + float64(tint*cast[k]))
		}
		l.curve = lerp(1, curve, part)
		l.shadow = fall
		l.shadow.depth = float64(0.6 * much(2))
		l.shadow.at = fall.at.plus(drift.times(float64(i)))
		l.blur += float64(0.7 * much(3))
		l.noise += float64(0.10 * part)
		out[i] = l
	}
	return out
}

// develop turns light into an eight-bit picture.
func develop(e exposure, l lighting, noise *stream) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, e.w, e.h))
	middle := point{float64(float64(e.w-1) / 2), float64(float64(e.h-1) / 2)}
	radius := dot(middle.x, middle.x, middle.y, middle.y)
	for y := range e.h {
		for x := range e.w {
			p := point{float64(x), float64(y)}
			d := p.minus(middle)
			local := 1 - float64(l.corner*dot(d.x, d.x, d.y, d.y))/radius
			if l.shadow.depth > 0 {
				local = float64(local * l.shadow.share(p))
			}
			common := noise.bell()
			var rgb [3]uint8
			for k := range rgb {
				v := float64(e.light[3*(y*e.w+x)+k]) + l.glare
				v = clamp(float64(v*float64(l.gain[k]*local)), 0, 1)
				tone := sqrt(v) // the display's curve
				tone /= tone + float64(l.curve*(1-tone))
				deviation := float64(l.noise * sqrt(1+float64(l.grainy*tone)))
				grain := float64(deviation * dot(0.8, common, 0.6, noise.bell()))
				rgb[k] = uint8(clamp(float64(255*tone)+grain+0.5, 0, 255))
			}
			out.SetRGBA(x, y, color.RGBA{rgb[0], rgb[1], rgb[2], 255})
		}
	}
	return out
}
