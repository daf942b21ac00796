package keypoints

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestLocalAffineIsTheDerivative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, x, y := drawVisible(t)
		a := h.LocalAffine(x, y)
		const step = 1e-4 // px; central differences err by its square
		for j, d := range [][2]float64{{step, 0}, {0, step}} {
			u1, v1 := h.Apply(x+d[0], y+d[1])
			u0, v0 := h.Apply(x-d[0], y-d[1])
			du, dv := (u1-u0)/(2*step), (v1-v0)/(2*step)
			if tolerance := 1e-4 * (1 + math.Abs(du) + math.Abs(dv)); math.Abs(a[0][j]-du) > tolerance || math.Abs(a[1][j]-dv) > tolerance {
				t.Fatalf("column %d is (%v, %v), differences give (%v, %v)", j, a[0][j], a[1][j], du, dv)
			}
		}
		w := h[6]*x + h[7]*y + h[8]
		det, want := a[0][0]*a[1][1]-a[0][1]*a[1][0], h.Determinant()/(w*w*w)
		if math.Abs(det-want) > 1e-6*(math.Abs(want)+math.Abs(a[0][0]*a[1][1])) {
			t.Fatalf("determinant %v, want det h / w³ = %v", det, want)
		}
	})
}

// drawVisible draws a homography and a pixel that it keeps well away from
// infinity.
func drawVisible(t *rapid.T) (h Homography, x, y float64) {
	h = drawHomography(t)
	x, y = drawPixel(t)
	if w := (h[6]*x + h[7]*y + h[8]) / h[8]; math.Abs(w) < 0.1 {
		t.Skip("near infinity")
	}
	return h, x, y
}

func TestProjectGeometryCarriesSizeAngleAndOctave(t *testing.T) {
	sin, cos := math.Sincos(math.Pi / 3)
	for _, c := range []struct {
		name        string
		h           Homography
		angle       float32
		size, wantA float64
	}{
		// Clockwise by 60°: (1, 0) goes to (cos, sin), and y points down.
		{"twice the size, a turn of 60°", Homography{2 * cos, -2 * sin, 300, 2 * sin, 2 * cos, 100, 0, 0, 1}, 330, 2, 30},
		{"the same, negative", Homography{-2 * cos, 2 * sin, -300, -2 * sin, -2 * cos, -100, 0, 0, -1}, 10, 2, 70},
		{"half the size", Homography{0.5, 0, 100, 0, 0.5, 100, 0, 0, 1}, 123, 0.5, 123},
		{"mirrored along x", Homography{-1, 0, 500, 0, 1, 0, 0, 0, 1}, 30, 1, 150},
		// det = 8; (1, 1) goes to (4, 2).
		{"stretched", Homography{4, 0, 0, 0, 2, 0, 0, 0, 1}, 45, math.Sqrt(8), math.Atan2(2, 4) * 180 / math.Pi},
		{"sheared", Homography{1, 1, 0, 0, 1, 0, 0, 0, 1}, 90, 1, 45},
		{"without angle", Homography{0, -3, 500, 3, 0, 0, 0, 0, 1}, -1, 3, -1},
		// w = 2 at (100, 50), where the derivatives are (1/4, 0) and (-1/8, 1/2).
		{"in perspective", Homography{1, 0, 0, 0, 1, 0, 0.01, 0, 1}, 0, math.Sqrt(0.125), 360 - math.Atan(0.5)*180/math.Pi},
	} {
		k := Keypoint{X: 100, Y: 50, Size: 8, Angle: c.angle, Response: 0.1, Octave: defaultSpace.Octave(8), ClassID: 3}
		got := Set{Keypoints: []Keypoint{k}}.ProjectGeometry(planeOf(c.h), 640, 480, Border{0, Closed}, defaultSpace.Resize)
		if got.Len() != 1 {
			t.Errorf("%s: %d keypoints", c.name, got.Len())
			continue
		}
		p := got.Keypoints[0]
		x, y := c.h.Apply(100, 50)
		if p.X != float32(x) || p.Y != float32(y) || p.Response != k.Response || p.ClassID != k.ClassID || got.Source[0] != 0 {
			t.Errorf("%s: got %+v from %v", c.name, p, got.Source)
		}
		if !(math.Abs(float64(p.Size)-8*c.size) <= 1e-5 && math.Abs(float64(p.Angle)-c.wantA) <= 1e-4) { // nor NaN
			t.Errorf("%s: size %v, angle %v, want %v, %v", c.name, p.Size, p.Angle, 8*c.size, c.wantA)
		}
		if p.Octave != defaultSpace.Octave(p.Size) {
			t.Errorf("%s: octave %#x is not that of size %v", c.name, p.Octave, p.Size)
		}
	}
}

func TestProjectingByTheIdentityChangesNoBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, octave, layer, xi := drawExtremum(t)
		k := keypointOf(s, octave, layer, xi)
		k.X, k.Y = rapid.Float32Range(0, 640).Draw(t, "x"), rapid.Float32Range(0, 480).Draw(t, "y")
		k.Angle = rapid.OneOf(rapid.Float32Range(0, math.Nextafter32(360, 0)), rapid.SampledFrom([]float32{-1, 0, 90, 180, 270, math.Nextafter32(360, 0)})).Draw(t, "angle")
		h := Identity.scaled(rapid.SampledFrom([]float64{1, -4, 0.3}).Draw(t, "scale"))
		got := Set{Keypoints: []Keypoint{k}}.ProjectGeometry(planeOf(h), 640, 480, Border{0, Closed}, s.Resize)
		if !slices.Equal(got.Keypoints, []Keypoint{k}) {
			t.Fatalf("got %+v, want %+v", got.Keypoints, k)
		}
	})
}
