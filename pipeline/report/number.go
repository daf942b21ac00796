package report

import "math"

// A Number is a float64 in which NaN means undefined. With the JSON tag omitzero,
// undefined and infinite numbers are omitted.
type Number float64

// IsZero reports whether JSON omits the number.
func (n Number) IsZero() bool { return math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) }
