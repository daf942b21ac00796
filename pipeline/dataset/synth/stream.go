package synth

import (
	"math/bits"
	"math/rand/v2"
)

// A purpose is what random numbers are drawn for. Numbers drawn for one
// purpose never depend on how many were drawn for another.
type purpose uint8

const (
	forTexture purpose = iota
	forView
	forLight
	forNoise
)

// A stream is a sequence of random numbers that depends on its key alone, the
// same on every machine: PCG (O'Neill 2014) with draws defined here, since
// those of rand.Rand may change between versions of Go.
type stream struct{ pcg *rand.PCG }

func newStream(seed uint64, scene, image int, p purpose) *stream {
	high := mix(seed)
	low := mix(high ^ mix(uint64(scene)<<16|uint64(image)<<8|uint64(p)))
	return &stream{rand.NewPCG(high, low)}
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s *stream) bits() uint64 { return s.pcg.Uint64() }

// unit draws from [0, 1).
func (s *stream) unit() float64 { return float64(float64(s.bits()>>11) / (1 << 53)) }

// between draws from [low, high).
func (s *stream) between(low, high float64) float64 { return lerp(low, high, s.unit()) }

// intN draws from 0..n-1: the high half of draw × n, without rejection, which
// for the small n used here is uneven by less than 1 in 2⁵⁰.
func (s *stream) intN(n int) int {
	high, _ := bits.Mul64(s.bits(), uint64(n))
	return int(high)
}

// chance is true with probability p.
func (s *stream) chance(p float64) bool { return s.unit() < p }

// sign draws -1 or 1.
func (s *stream) sign() float64 {
	if s.bits()>>63 == 0 {
		return -1
	}
	return 1
}

// bell draws from a distribution close to the standard normal: the sum of four
// uniform ones, which needs no logarithm.
func (s *stream) bell() float64 {
	u := s.bits()
	sum := int(u&0xffff) + int(u>>16&0xffff) + int(u>>32&0xffff) + int(u>>48)
	const mean, deviation = 2 * 65535, 37837.2 // 65536·√(4/12)
	return float64(sum-mean) / deviation
}

// direction draws a unit vector.
func direction(s *stream) point {
	for {
		p := point{s.between(-1, 1), s.between(-1, 1)}
		if l := dot(p.x, p.x, p.y, p.y); l > 0.01 && l <= 1 {
			return p.times(1 / sqrt(l))
		}
	}
}
