package synth

// hue returns a colour of the given hue (0 to 1 around the circle),
// saturation and brightness, each as the eye sees them, 0 to 1. The square
// stands for the display's curve.
func hue(h, saturation, brightness float64) colour {
	saturation = clamp(saturation, 0, 1)
	var c colour
	for k := range c {
		// Distance on the circle of hues from red, green and blue.
		d := h - float64(k)/3
		d -= float64(floor(d + 0.5))
		if d < 0 {
			d = -d
		}
		full := clamp(2-float64(6*d), 0, 1)
		c[k] = square(float64(brightness * lerp(1, full, saturation)))
	}
	return c
}

func floor(x float64) int {
	i := int(x)
	if float64(i) > x {
		i--
	}
	return i
}

// A palette is the colours of one picture.
type palette []colour

// newPalette draws n colours around one or two hues, from dark to bright.
func newPalette(n int, saturation float64, s *stream) palette {
	first := s.unit()
	second := first + s.between(0.15, 0.5)
	p := make(palette, n)
	for i := range p {
		h := first
		if s.chance(0.4) {
			h = second
		}
		brightness := lerp(0.3, 0.85, (float64(i)+s.between(0.2, 0.8))/float64(n))
		p[i] = hue(h+s.between(-0.05, 0.05), float64(saturation*s.between(0.4, 1.2)), brightness)
	}
	return p
}

// any draws one of the colours, a little varied.
func (p palette) any(s *stream) colour {
	return p[s.intN(len(p))].times(s.between(0.75, 1.3))
}

// along returns the colour at t of the gradient through all colours, 0 to 1.
func (p palette) along(t float64) colour {
	t = float64(clamp(t, 0, 1) * float64(len(p)-1))
	i := min(int(t), len(p)-2)
	return p[i].towards(p[i+1], t-float64(i))
}

// vivid draws a saturated colour, as of paint and print.
func vivid(s *stream) colour {
	return hue(s.unit(), s.between(0.5, 0.95), s.between(0.45, 0.95))
}
