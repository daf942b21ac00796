package text

import (
	"bytes"
	"math"
	"strconv"
)

// Number parses b, without blanks, as what C's printf writes: a decimal number with or
// without an exponent, or nan, inf or infinity in any case, each with or without a
// sign. Numbers that are too large become infinite.
func Number(b []byte) (float64, bool) {
	digits := b
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		digits = b[1:]
	}
	switch {
	case len(digits) > 1 && (digits[1] == 'x' || digits[1] == 'X'), bytes.IndexByte(b, '_') >= 0: // Go's 0x1p-2 and 1_000
		return 0, false
	case bytes.EqualFold(digits, []byte("nan")): // strconv does not know -nan
		return math.NaN(), true
	}
	v, err := strconv.ParseFloat(string(b), 64)
	return v, err == nil || math.IsInf(v, 0)
}

// Index parses an index: only decimal digits, below 2³¹.
func Index(b []byte) (int, bool) {
	if len(b) == 0 || len(b) > 10 {
		return 0, false
	}
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, n <= math.MaxInt32
}
