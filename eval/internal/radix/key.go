package radix

import "math"

// A Key is a number encoded as an integer of the same order: its bits with the sign bit
// inverted, or with all bits inverted if it is negative. Both zeros have the same key.
// Keys of NaN are beyond those of the infinities.
type Key uint64

const signBit = 1 << 63

// KeyOf returns the key of a number.
func KeyOf(v float64) Key {
	bits := math.Float64bits(v + 0) // -0 + 0 = +0
	if bits&signBit != 0 {
		return Key(^bits)
	}
	return Key(bits | signBit)
}

// Value returns the number.
func (k Key) Value() float64 {
	if k&signBit == 0 {
		return math.Float64frombits(^uint64(k))
	}
	return math.Float64frombits(uint64(k &^ signBit))
}
