package report

import (
	"math"
	"strconv"
	"strings"
)

// A Number may be undefined, which is NaN. In JSON, under the tag omitzero,
// what is undefined or infinite is absent.
type Number float64

// IsZero reports whether JSON leaves the number out.
func (n Number) IsZero() bool { return math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) }

// fixed prints a number with so many decimals, "undefined" for NaN. What rounds
// to zero has no sign.
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

// signed prints a number with its sign.
func signed(v float64, decimals int) string {
	text := fixed(v, decimals)
	if v > 0 && !isZero(text) {
		return "+" + text
	}
	return text
}
