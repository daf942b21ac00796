package surf

import "math"

// roundHalfEven returns the integer nearest to v, the even one of two. |v| is
// below 2⁵¹, so that adding 1.5·2⁵² leaves no bits for a fraction.
func roundHalfEven(v float32) int {
	const shift = 0x1.8p52
	return int(float64(float64(v)+shift) - shift)
}

// roundToByte is roundHalfEven for 0 ≤ v < 255.5: the sum with 2²³ has the
// integer in its lowest bits.
func roundToByte(v float32) uint8 {
	return uint8(math.Float32bits(float32(v) + 0x1p23))
}
