package surf

import "math"

// roundHalfEven returns the integer nearest to v, or the even one of two
// equally near integers. |v| must be below 2⁵¹, so that adding 1.5·2⁵² leaves
// no bits for a fraction.
func roundHalfEven(v float32) int {
	const shift = 0x1.8p52
	return int(float64(float64(v)+shift) - shift)
}

// roundToByte is roundHalfEven for 0 ≤ v < 255.5: adding 2²³ puts the integer
// in the lowest bits.
func roundToByte(v float32) uint8 {
	return uint8(math.Float32bits(float32(v) + 0x1p23))
}
