package binary

import "math"

// A key is a distance encoded as an integer of the same order: the bits of the
// number with the sign bit inverted, or with all bits inverted if it is
// negative. Both zeros have the same key. Keys of NaN are beyond those of the
// infinities.
type key uint64

const signBit = 1 << 63

func keyOf(distance float64) key {
	bits := math.Float64bits(distance + 0) // -0 + 0 = +0
	if bits&signBit != 0 {
		return key(^bits)
	}
	return key(bits | signBit)
}

func (k key) distance() float64 {
	if k&signBit == 0 {
		return math.Float64frombits(^uint64(k))
	}
	return math.Float64frombits(uint64(k &^ signBit))
}
