package text

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

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

// Number parses a number in the forms of C's printf, rounded to 32 or 64 bits: a decimal
// number with or without an exponent, or nan, inf or infinity in any case, each with or
// without a sign. Numbers that are too large become infinite. Go's other notations, 1_000
// and 0x1p-2, are no numbers in files of other programs.
func Number(field string, bits int) (v float64, ok bool) {
	unsigned := strings.TrimPrefix(strings.TrimPrefix(field, "-"), "+")
	switch {
	case len(unsigned) > 1 && (unsigned[1] == 'x' || unsigned[1] == 'X'), strings.IndexByte(field, '_') >= 0:
		return 0, false
	case len(field) == len("-nan") && strings.EqualFold(unsigned, "nan"): // strconv does not know -nan
		field = unsigned
	}
	v, err := strconv.ParseFloat(field, bits)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}
