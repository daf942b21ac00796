package surf

import "math"

// Coefficients of the odd polynomial with which OpenCV approximates the
// arctangent of 0 to 1, in degrees, to within 0.01°. Each is the rounded
// product of two float32 values.
const (
	perRadian float32 = 180 / math.Pi
	atan1             = float32(0.9997878412794807) * perRadian
	atan3             = float32(-0.3258083974640975) * perRadian
	atan5             = float32(0.1555786518463281) * perRadian
	atan7             = float32(-0.04432655554792128) * perRadian
)

// arctangent returns the direction of (x, y) in degrees, 0 to 360, and 0 for
// (0, 0). The value equals OpenCV's fastAtan2.
func arctangent(y, x float32) float32 {
	c := tangent(y, x)
	c2 := float32(c * c)
	a := float32(atan7*c2) + atan5
	a = float32(a*c2) + atan3
	a = float32(a*c2) + atan1
	return unfold(float32(a*c), y, x)
}

// arctangentFused is arctangent with each product and sum rounded once. The
// value equals OpenCV's phase on processors with fused multiply-add and may
// differ from arctangent in its last bit.
func arctangentFused(y, x float32) float32 {
	c := tangent(y, x)
	c2 := float32(c * c)
	a := mulAdd(c2, atan7, atan5)
	a = mulAdd(a, c2, atan3)
	a = mulAdd(a, c2, atan1)
	return unfold(float32(a*c), y, x)
}

// mulAdd returns ab + c. The product is exact in float64. The sum is rounded
// there before it is rounded to float32, which affects about one of 2²⁹
// results.
func mulAdd(a, b, c float32) float32 {
	return float32(float64(float64(a)*float64(b)) + float64(c))
}

// tangent returns the tangent of the angle between (x, y) and the nearest axis.
func tangent(y, x float32) float32 {
	ax, ay := abs(x), abs(y)
	return min(ax, ay) / (max(ax, ay) + 0x1p-52)
}

// unfold returns the direction of (x, y) given the angle to the nearest axis.
func unfold(a, y, x float32) float32 {
	if abs(y) > abs(x) {
		a = 90 - a
	}
	if x < 0 {
		a = 180 - a
	}
	if y < 0 {
		a = 360 - a
	}
	return a
}

func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }
