package regions

import (
	"math"

	"descbench/eval/random"
)

// A Noise is a strength of jitter.
type Noise struct {
	Letter string  // first letter of the image names: e for e1 to e5
	Name   string  // easy, hard or tough
	Amount float64 // see Jittered
}

// Noises returns the three strengths of HPatches, weakest first. Their amounts are
// chosen so that half of the ellipses overlap the unjittered ellipse (intersection
// over union) by more than 0.85, 0.72 and 0.65. The first two overlaps are from the
// HPatches paper. The overlap of tough is not published; 0.65 is our choice.
func Noises() []Noise {
	return []Noise{
		{"e", "easy", 0.138},
		{"h", "hard", 0.280},
		{"t", "tough", 0.367},
	}
}

// rotation is the maximum angle of the jitter, in radians for an amount of 1: 6° for
// easy, 12° for hard, 16° for tough. The angle does not change the overlap, so it
// cannot be derived from what is published on HPatches; the value is our choice.
const rotation = 0.75

// Jittered returns r changed by a random affine map in its own coordinates. The map
// scales r along two perpendicular axes of random direction by factors e^s, with a
// separate s from [-amount, amount) for each axis. It rotates the result by an angle
// of up to amount·0.75 radians, and shifts the centre to a point in the disc with a
// radius of amount half sides. All values are drawn uniformly, in the order: axes,
// both s, angle, distance and direction of the shift.
func (r Region) Jittered(s *random.Stream, amount float64) Region {
	between := func(limit float64) float64 { return limit * (2*s.Float64() - 1) }
	axes := math.Pi * s.Float64()
	long, short := math.Exp(between(amount)), math.Exp(between(amount))
	angle := between(amount * rotation)
	distance := amount * math.Sqrt(s.Float64())
	sin, cos := math.Sincos(2 * math.Pi * s.Float64())

	u, v := distance*cos, distance*sin
	scaled := product([2][2]float64{{long, 0}, {0, short}}, turn(-axes))
	return Region{
		X: r.X + r.A[0][0]*u + r.A[0][1]*v,
		Y: r.Y + r.A[1][0]*u + r.A[1][1]*v,
		A: product(r.A, product(turn(angle+axes), scaled)),
	}
}

func turn(angle float64) [2][2]float64 {
	sin, cos := math.Sincos(angle)
	return [2][2]float64{{cos, -sin}, {sin, cos}}
}
