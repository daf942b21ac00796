package binary

import "strconv"

// exactPowers are the powers of ten that float64 holds exactly.
var exactPowers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// parseFinite returns the float64 nearest to a decimal number: a sign, digits
// with or without a point, an exponent. Other forms, and numbers too large for
// float64, are not accepted.
//
// It is faster than strconv for the usual forms: an integer below 2⁵³ and a
// power of ten up to 10²² are exact in float64, so that their product or
// quotient is rounded only once (Clinger, How to Read Floating Point Numbers
// Accurately, PLDI 1990). strconv does the rest.
func parseFinite(b []byte) (float64, bool) {
	i := 0
	negative := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	var mantissa uint64
	digits, significant, point := 0, 0, -1
	for ; i < len(b); i++ {
		c := b[i] - '0' // not below 10 for anything but digits
		if c < 10 {
			digits++
			if significant > 0 || c > 0 {
				significant++
			}
			mantissa = 10*mantissa + uint64(c) // may overflow beyond 19 significant digits
		} else if b[i] == '.' && point < 0 {
			point = digits
		} else {
			break
		}
	}
	if digits == 0 {
		return 0, false
	}
	exponent := 0
	if i < len(b) {
		var ok bool
		if exponent, ok = parseExponent(b[i:]); !ok {
			return 0, false
		}
	}
	if point >= 0 {
		exponent -= digits - point
	}
	if significant > 19 || mantissa > 1<<53 || exponent < -22 || exponent > 22 {
		v, err := strconv.ParseFloat(string(b), 64)
		return v, err == nil
	}
	v := float64(mantissa)
	if exponent < 0 {
		v /= exactPowers[-exponent]
	} else {
		v *= exactPowers[exponent]
	}
	if negative {
		v = -v
	}
	return v, true
}

// farAway bounds exponents; no number has as many digits.
const farAway = 1e8

// parseExponent parses e or E and a whole number, bounded by farAway.
func parseExponent(b []byte) (int, bool) {
	if b[0] != 'e' && b[0] != 'E' {
		return 0, false
	}
	i := 1
	sign := 1
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		if b[i] == '-' {
			sign = -1
		}
		i++
	}
	if i == len(b) {
		return 0, false
	}
	n := 0
	for ; i < len(b); i++ {
		c := b[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = min(10*n+int(c), farAway)
	}
	return sign * n, true
}
