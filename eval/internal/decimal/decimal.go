// Package decimal parses the decimal numbers of text files, exactly and faster
// than strconv for the usual forms.
package decimal

import (
	"bytes"
	"math"
	"strconv"
)

// Finite parses b as a whole, which must be a number that float64 holds: no word,
// and not too large.
func Finite(b []byte) (float64, bool) {
	v, n := Number(b)
	return v, n > 0 && n == len(b) && v-v == 0
}

// exactPowers are the powers of ten that float64 holds exactly.
var exactPowers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// Number parses the decimal number that b starts with, and returns it rounded
// to the nearest float64 together with the number of bytes it takes; 0 bytes
// if there is none. It accepts what C's printf writes: a sign, digits with or
// without a point, an exponent, and nan, inf, infinity in any case.
func Number(b []byte) (value float64, length int) { return number(b, false) }

// Single is Number with the value rounded to float32 in a second step. It is faster
// for many digits.
func Single(b []byte) (value float32, length int) {
	v, n := number(b, true)
	return float32(v), n
}

// number is Number or, if single, a value that is the same as float32.
func number(b []byte, single bool) (value float64, length int) {
	i := 0
	negative := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	mantissa, digits := uint64(0), 0
	exponent := 0
	exact := true // mantissa holds all digits
	start := i
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		if mantissa < 1e18 {
			mantissa = 10*mantissa + uint64(b[i]-'0')
		} else {
			exact = false
		}
	}
	digits = i - start
	if i < len(b) && b[i] == '.' {
		point := i
		for i++; i < len(b) && b[i]-'0' < 10; i++ {
			if mantissa < 1e18 {
				mantissa = 10*mantissa + uint64(b[i]-'0')
				exponent--
			} else {
				exact = false
			}
		}
		digits += i - point - 1
	}
	if digits == 0 {
		return notFinite(b, start, negative)
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		e, n := exponentAt(b[i+1:])
		if n > 0 {
			exponent += e
			i += 1 + n
		}
	}
	// A product or quotient of two numbers that float64 holds exactly is
	// rounded once (Clinger, How to read floating point numbers accurately,
	// PLDI 1990); the rest is left to strconv.
	switch {
	case !exact || mantissa > 1<<53 || exponent < -22 || exponent > 22:
		if single && exact && -22 <= exponent && exponent <= 0 {
			if v := float64(mantissa) / exactPowers[-exponent]; clearSingle(v) {
				if negative {
					v = -v
				}
				return v, i
			}
		}
		value, err := strconv.ParseFloat(string(b[:i]), 64)
		if err != nil && !math.IsInf(value, 0) {
			return 0, 0
		}
		return value, i
	case exponent < 0:
		value = float64(mantissa) / exactPowers[-exponent]
	default:
		value = float64(mantissa) * exactPowers[exponent]
	}
	if negative {
		value = -value
	}
	return value, i
}

// clearSingle reports whether v and all numbers nearby round to the same float32: v is
// not near the middle between two of them. Nearby are 4 units in the last place; two
// roundings make an error of less than 3.
func clearSingle(v float64) bool {
	const middle = 1 << 28 // of the 29 bits that float32 does not have
	rest := math.Float64bits(v) & (2*middle - 1)
	return (rest < middle-4 || rest > middle+4) && v > 0x1p-126 && v < 0x1p127
}

// exponentAt parses the digits of an exponent; far out it need not be exact.
func exponentAt(b []byte) (exponent, length int) {
	i := 0
	negative := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	start := i
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		if exponent < 1e6 {
			exponent = 10*exponent + int(b[i]-'0')
		}
	}
	if i == start {
		return 0, 0
	}
	if negative {
		exponent = -exponent
	}
	return exponent, i
}

// notFinite parses nan, inf or infinity at b[at:].
func notFinite(b []byte, at int, negative bool) (float64, int) {
	for _, word := range []string{"infinity", "inf", "nan"} {
		if len(b)-at < len(word) || !bytes.EqualFold(b[at:at+len(word)], []byte(word)) {
			continue
		}
		if word == "nan" {
			return math.NaN(), at + len(word)
		}
		if negative {
			return math.Inf(-1), at + len(word)
		}
		return math.Inf(1), at + len(word)
	}
	return 0, 0
}
