package synth

import (
	"image"
	"image/color"
)

// A lighting is how light falls on the plane and how the camera turns what
// reaches it into eight bits.
type lighting struct {
	gain   colour  // of each channel, linear
	curve  float64 // of the camera: below 1 lifts the dark tones, above 1 drops them
	blur   float64 // deviation of the point spread function, px
	noise  float64 // deviation, grey levels
	shadow shadow
}

// A shadow darkens what lies on one side of a line.
type shadow struct {
	depth    float64 // share of light lost
	edge     point   // on the line, px
	normal   point   // of the line, unit length, into the shadow
	softness float64 // how far the edge extends, px
}

// share returns what part of the light reaches p.
func (s shadow) share(p point) float64 {
	d := p.minus(s.edge)
	return 1 - float64(s.depth*smoothstep(dot(s.normal.x, d.x, s.normal.y, d.y)/s.softness))
}

// daylight draws the lighting of a viewpoint scene's image: much as that of
// its other images.
func daylight(s *stream) lighting {
	gain := s.between(0.8, 1.02)
	l := lighting{curve: 1, blur: s.between(0.78, 0.84), noise: 0.4, shadow: shadow{softness: 1}}
	for k := range l.gain {
		l.gain[k] = float64(gain * s.between(0.97, 1.03))
	}
	return l
}

// lightings draws those of an illumination scene, of rising difficulty:
// exposure, colour, the camera's curve, a shadow that moves, and blur change
// from image to image.
func lightings(width, height int, s *stream) [6]lighting {
	w, h := float64(width), float64(height)
	exposure, curve := s.between(0.45, 0.85), s.between(0.7, 1.4)
	if s.chance(0.4) {
		exposure = s.between(1.2, 2.2)
	}
	var cast colour
	for k := range cast {
		cast[k] = s.between(-0.4, 0.3)
	}
	fall := shadow{
		depth:    s.between(0.2, 0.6),
		edge:     point{float64(w * s.between(0.3, 0.7)), float64(h * s.between(0.3, 0.7))},
		normal:   direction(s),
		softness: float64(w * s.between(0.02, 0.3)),
	}
	drift := direction(s).times(float64(w * 0.05))
	blur := s.between(0.2, 0.7)
	var out [6]lighting
	for i := range out {
		part := float64(i) / 5
		l := daylight(s)
		for k := range l.gain {
			l.gain[k] = float64(l.gain[k]*lerp(1, exposure, part)) * (1 + float64(cast[k]*part))
		}
		l.curve = lerp(1, curve, part)
		l.shadow = fall
		l.shadow.depth = float64(fall.depth * part)
		l.shadow.edge = fall.edge.plus(drift.times(float64(i)))
		l.blur += float64(blur * part)
		l.noise += float64(0.1 * part)
		out[i] = l
	}
	return out
}

// develop turns light into an eight-bit picture.
func develop(e exposure, l lighting, noise *stream) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, e.w, e.h))
	for y := range e.h {
		for x := range e.w {
			local := l.shadow.share(point{float64(x), float64(y)})
			var rgb [3]uint8
			for k := range rgb {
				v := clamp(float64(float64(e.light[3*(y*e.w+x)+k])*float64(l.gain[k]*local)), 0, 1)
				tone := sqrt(v) // the display's curve
				tone /= tone + float64(l.curve*(1-tone))
				rgb[k] = uint8(clamp(float64(255*tone)+float64(l.noise*noise.bell())+0.5, 0, 255))
			}
			out.SetRGBA(x, y, color.RGBA{rgb[0], rgb[1], rgb[2], 255})
		}
	}
	return out
}
