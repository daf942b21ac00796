package keypoints

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A camera that turns by 60° clockwise turns the angles of all keypoints by it, clockwise in the
// image; measured counter-clockwise, angles turn by -60°.
func TestAnglesOfTheOtherSenseTurnAgainstTheirImages(t *testing.T) {
	for _, c := range []struct {
		name          string
		turn          float64 // of the image, degrees
		angle         func(degrees float64) float64
		share         float64 // keypoints whose partner is another one
		wrong, enough bool
	}{
		{"OpenCV", 60, func(a float64) float64 { return a }, 0.3, false, true},
		{"from another axis", 60, func(a float64) float64 { return a + 90 }, 0.3, false, true},
		{"mathematics", 60, func(a float64) float64 { return 360 - a }, 0.3, true, true},
		{"mathematics, turned back", -15, func(a float64) float64 { return 360 - a }, 0.3, true, true},
		{"MATLAB, from y", 60, func(a float64) float64 { return 90 - a }, 0.3, true, true},
		{"mathematics, nothing turns", 2, func(a float64) float64 { return 360 - a }, 0.3, false, false},
		{"half a turn", 180, func(a float64) float64 { return 360 - a }, 0.3, false, false},
		{"chance", 60, func(a float64) float64 { return 360 - a }, 1, false, true},
		{"upright", 60, func(float64) float64 { return 0 }, 0, false, true},
		{"none", 60, func(float64) float64 { return NoAngle }, 0, false, false},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		sin, cos := math.Sincos(c.turn * math.Pi / 180)
		h := Homography{2 * cos, -2 * sin, 300, 2 * sin, 2 * cos, 200, 0, 0, 1}
		var a, b []Keypoint
		for range 500 {
			x, y, angle := 640*r.Float64(), 480*r.Float64(), 360*r.Float64()
			a = append(a, Keypoint{X: float32(x), Y: float32(y), Angle: float32(c.angle(angle))})
			x, y = h.Apply(x, y)
			if angle += c.turn + 20*r.NormFloat64(); r.Float64() < c.share {
				angle = 360 * r.Float64()
			}
			b = append(b, Keypoint{X: float32(x + r.NormFloat64()), Y: float32(y), Angle: float32(c.angle(angle))})
		}
		var turning Turning
		turning.Add(h, a, b, 3)
		if got := turning.Reversed(); got != c.wrong || (turning.square > 1) != c.enough {
			t.Errorf("%s: reversed %v, want %v; %+v", c.name, got, c.wrong, turning)
		}
	}
}
