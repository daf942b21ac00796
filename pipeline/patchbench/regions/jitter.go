package regions

import (
	"math"

	"descbench/eval/random"
)

// A Noise is a strength of jitter.
type Noise struct {
	Letter string  // of the images that have it: e1 to e5
	Name   string  // easy, hard or tough
	Amount float64 // see Jittered
}

// Noises returns the three of HPatches, weakest first. Their amounts are those
// at which half of the ellipses overlap with the unjittered one (intersection
// over union) by more than 0.85, 0.72 and 0.65. The first two figures are
// HPatches' own; that of tough is not published, and is a choice made here.
func Noises() []Noise {
	return []Noise{
		{"e", "easy", 0.138},
		{"h", "hard", 0.280},
		{"t", "tough", 0.367},
	}
}

// rotation is the largest angle of a jitter, in radians for an amount of 1: 6°
// for easy, 12° for hard, 16° for tough. It does not change the overlap, so that
// what is published of HPatches does not tell it; it too is a choice made here.
const rotation = 0.75

// Jittered returns r changed in its own coordinates by a drawn affine map: its
// lengths along two perpendicular axes of any direction are multiplied by e^s,
// s from [-amount, amount) each, the result is turned by an angle of up to
// amount·0.75 radians, and the centre is moved to a point of the disc whose
// radius is amount halves of the side. All are drawn uniformly, in the order:
// axes, two s, angle, distance and direction of the centre.
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
