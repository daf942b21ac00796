package report

import (
	"math"
	"strconv"
	"strings"
)

// A Number is a float64 in which NaN means undefined. With the JSON tag omitzero,
// undefined and infinite numbers are omitted.
type Number float64

// IsZero reports whether JSON omits the number.
func (n Number) IsZero() bool { return math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) }

// fixed formats a number with the given number of decimals, or as "undefined" for
// NaN. A number that rounds to zero has no sign.
func fixed(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "undefined"
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if isZero(text) {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

func isZero(text string) bool { return strings.Trim(text, "-0.") == "" }
