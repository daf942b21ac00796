package synth

import (
	"math"
	"testing"
)

// blank returns a canvas to paint single leaves on.
func blank(p *plane) *canvas {
	c := &canvas{p, make([]float32, p.w*p.h), make([]float32, p.w*p.h)}
	for i := range c.bare {
		c.bare[i] = 1
	}
	return c
}

func TestLeavesCoverTheirArea(t *testing.T) {
	right, down := point{1, 0}, point{0, 1}
	centre := point{101.3, 99.6}
	for name, c := range map[string]struct {
		leaf leaf
		area float64
	}{
		"disc":      {leaf{radius: 50}, math.Pi * 50 * 50},
		"half disc": {leaf{radius: 50, cuts: []cut{{right, 0}}}, math.Pi * 50 * 50 / 2},
		"rectangle": {leaf{radius: 90, cuts: []cut{{right, 20.3}, {right.times(-1), 20.2}, {down, 15.25}, {down.times(-1), 15}}}, 40.5 * 30.25},
	} {
		p := &plane{w: 200, h: 200, light: make([]uint16, 3*200*200)}
		c.leaf.centre, c.leaf.colour = centre, colour{1, 1, 1}
		blank(p).fill(c.leaf)
		sum := 0.0
		for i := 0; i < len(p.light); i += 3 {
			sum += float64(p.light[i]) / 65535
		}
		if math.Abs(sum/c.area-1) > 0.004 {
			t.Errorf("%s covers %.1f texels, want %.1f", name, sum, c.area)
		}
	}
}

func TestTheFirstLeafPaintedLiesOnTop(t *testing.T) {
	p := &plane{w: 40, h: 40, light: make([]uint16, 3*40*40)}
	c := blank(p)
	c.fill(leaf{centre: point{20, 20}, radius: 5, colour: colour{1, 0, 0}})
	c.fill(leaf{centre: point{20, 20}, radius: 60, colour: colour{0, 1, 0}})
	for y := range p.h {
		for x := range p.w {
			texel := p.texel(x, y)
			r := math.Hypot(float64(x-20), float64(y-20))
			if got, want := texel[0] == 65535 && texel[1] == 0, r < 4.4; got != want && math.Abs(r-5) > 0.6 {
				t.Errorf("texel (%d, %d) is %v", x, y, texel)
			}
			// The two share the texels on the edge, and nothing stays bare.
			if sum := int(texel[0]) + int(texel[1]); sum < 65534 {
				t.Errorf("texel (%d, %d) is %v: a part of it is bare", x, y, texel)
			}
		}
	}
}
