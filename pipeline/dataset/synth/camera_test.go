package synth

import (
	"math"
	"testing"

	"descbench/keypoints"
)

func uniform(width, height int, c colour) *plane {
	p := newPlane(width, height)
	for y := range p.h {
		for x := range p.w {
			p.add(x, y, c)
		}
	}
	return p
}

// blank returns a canvas to paint single leaves on.
func blank(p *plane) *canvas {
	c := &canvas{p, make([]float32, p.w*p.h), make([]float32, p.w*p.h)}
	for i := range c.bare {
		c.bare[i] = 1
	}
	return c
}

func TestPixelsLieWhereTheHomographySays(t *testing.T) {
	const w, h = 320, 240
	spots := []point{{160, 120}, {90.25, 71.5}, {231.5, 66.75}, {88.125, 171}, {219, 180.4}}
	p := uniform(w, h, colour{0.1, 0.1, 0.1})
	spot := blank(p)
	for _, s := range spots {
		spot.fill(leaf{centre: p.toTexels(s), radius: 4, colour: colour{0.8, 0.8, 0.8}})
	}
	levels := newPyramid(p)
	views := map[string]keypoints.Homography{
		"identity":     keypoints.Identity,
		"half a pixel": shift(point{0.5, -0.25}),
		"near":         viewpoint{zoom: 1.8, roll: 0.3, target: point{160, 120}, seen: point{158.3, 121.7}}.homography(350),
		"far":          viewpoint{zoom: 0.45, roll: -0.2, target: point{160, 120}, seen: point{160, 120}}.homography(350),
		"slanted":      viewpoint{zoom: 1.1, tilt: 0.5, around: 0.3, roll: 0.2, target: point{160, 120}, seen: point{160, 120}}.homography(350),
	}
	for name, view := range views {
		img := photograph(levels, view, w, h, 0.6)
		for _, s := range spots {
			x, y := view.Apply(s.x, s.y)
			if x < 20 || y < 20 || x > w-21 || y > h-21 {
				continue
			}
			gotX, gotY := centroid(img, x, y, 16)
			// Perspective itself moves the centroid of a spot's image off the
			// image of its centre, by less than 0.01 px for radius 2 px.
			if math.Hypot(gotX-x, gotY-y) > 0.02 {
				t.Errorf("%s: the spot at %v appears at (%.3f, %.3f), want (%.3f, %.3f)", name, s, gotX, gotY, x, y)
			}
		}
	}
}

// centroid is the centre of the light above background around (x, y).
func centroid(e exposure, x, y float64, reach int) (float64, float64) {
	var sx, sy, sum float64
	for v := int(y) - reach; v <= int(y)+reach; v++ {
		for u := int(x) - reach; u <= int(x)+reach; u++ {
			w := max(0, float64(e.light[3*(v*e.w+u)])-0.1)
			sx, sy, sum = sx+w*float64(u), sy+w*float64(v), sum+w
		}
	}
	return sx / sum, sy / sum
}
