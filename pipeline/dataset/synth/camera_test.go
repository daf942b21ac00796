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

func TestSamplingKeepsUniformLightUniform(t *testing.T) {
	grey := colour{0.3, 0.5, 0.7}
	p := uniform(160, 128, grey)
	view := viewpoint{zoom: 0.7, tilt: 0.4, around: 0.7, roll: 0.4, target: point{80, 64}, seen: point{80, 64}}.homography(170)
	img := photograph(newPyramid(p), view, 160, 128, 0.6)
	for i, v := range img.light {
		if math.Abs(float64(v)-grey[i%3]) > 2e-5 { // a 16-bit step is 1.5e-5
			t.Fatalf("pixel %d channel %d is %v, want %v", i/3, i%3, v, grey[i%3])
		}
	}
}

func TestStructureFinerThanPixelsDoesNotAlias(t *testing.T) {
	p := newPlane(128, 128)
	for y := range p.h {
		for x := range p.w {
			if (x+y)%2 == 0 {
				p.add(x, y, colour{1, 1, 1})
			}
		}
	}
	levels := newPyramid(p)
	for name, view := range map[string]keypoints.Homography{
		"image 1": keypoints.Identity,
		"turned":  viewpoint{zoom: 0.9, roll: 0.21, tilt: 0.3, target: point{64, 64}, seen: point{64, 64}}.homography(140),
	} {
		img := photograph(levels, view, 128, 128, 0.6)
		for i, v := range img.light {
			if math.Abs(float64(v)-0.5) > 0.02 {
				t.Fatalf("%s: pixel (%d, %d) of a checkerboard of half pixels is %.3f, want 0.5", name, i/3%128, i/3/128, v)
			}
		}
	}
}
