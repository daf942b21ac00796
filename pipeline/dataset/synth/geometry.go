package synth

import (
	"fmt"
	"math"

	"descbench/keypoints"
)

// All arithmetic of this package that decides about pixels or homographies
// uses only what IEEE 754 rounds exactly (+ − × ÷ √), with every product that
// feeds a sum rounded by an explicit conversion, which keeps compilers from
// fusing the two. Sines, powers and exponentials are avoided: their last bit
// differs between machines.

func lerp(a, b, t float64) float64 { return a + float64((b-a)*t) }

// dot is a·b + c·d.
func dot(a, b, c, d float64) float64 { return float64(a*b) + float64(c*d) }

func sqrt(x float64) float64 { return math.Sqrt(x) }

func square(x float64) float64 { return float64(x * x) }

func clamp(x, low, high float64) float64 { return max(low, min(high, x)) }

func floor(x float64) int { return int(math.Floor(x)) }

// smoothstep rises from 0 at t ≤ 0 to 1 at t ≥ 1.
func smoothstep(t float64) float64 {
	t = clamp(t, 0, 1)
	return float64(float64(t*t) * (3 - float64(2*t)))
}

// turn returns cosine and sine of the angle whose half has the tangent t.
func turn(t float64) (cos, sin float64) {
	d := 1 + square(t)
	return (1 - square(t)) / d, float64(2*t) / d
}

// A point is a position, or a displacement, in texels or pixels.
type point struct{ x, y float64 }

func (p point) plus(q point) point    { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point   { return point{p.x - q.x, p.y - q.y} }
func (p point) times(f float64) point { return point{float64(p.x * f), float64(p.y * f)} }

// times returns the map that applies b first, then a.
func times(a, b keypoints.Homography) (m keypoints.Homography) {
	for r := range 3 {
		for c := range 3 {
			m[3*r+c] = dot(a[3*r], b[c], a[3*r+1], b[3+c]) + float64(a[3*r+2]*b[6+c])
		}
	}
	return m
}

// adjugate is the inverse up to scale.
func adjugate(h keypoints.Homography) keypoints.Homography {
	minor := func(a, b, c, d int) float64 { return dot(h[a], h[d], -h[b], h[c]) }
	return keypoints.Homography{
		minor(4, 5, 7, 8), minor(2, 1, 8, 7), minor(1, 2, 4, 5),
		minor(5, 3, 8, 6), minor(0, 2, 6, 8), minor(2, 0, 5, 3),
		minor(3, 4, 6, 7), minor(1, 0, 7, 6), minor(0, 1, 3, 4),
	}
}

// apply maps p and returns the depth too: the divisor, positive in front of
// the camera.
func apply(h keypoints.Homography, p point) (q point, depth float64) {
	depth = dot(h[6], p.x, h[7], p.y) + h[8]
	q.x = (dot(h[0], p.x, h[1], p.y) + h[2]) / depth
	q.y = (dot(h[3], p.x, h[4], p.y) + h[5]) / depth
	return q, depth
}

func shift(p point) keypoints.Homography {
	return keypoints.Homography{1, 0, p.x, 0, 1, p.y, 0, 0, 1}
}

func rotation(cos, sin float64) keypoints.Homography {
	return keypoints.Homography{cos, -sin, 0, sin, cos, 0, 0, 0, 1}
}

// format writes h as HPatches does, a row a line, such that reading it gives
// back the same numbers.
func format(h keypoints.Homography) string {
	text := ""
	for r := range 3 {
		// %v is the shortest decimal that reads back as the same float64.
		text += fmt.Sprintf("%v %v %v\n", h[3*r], h[3*r+1], h[3*r+2])
	}
	return text
}
