package surf

import "math"

// roundHalfEven returns the integer nearest to v, or the even one of two equally near
// integers.
func roundHalfEven(v float32) int { return int(math.RoundToEven(float64(v))) }
