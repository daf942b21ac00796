package table

import (
	"math"
	"strconv"
)

// A Unit says in what unit the values of a column are and how they are printed.
type Unit struct {
	name     string // in JSON
	words    bool
	scale    float64 // printed number = value × scale
	decimals int     // of values without interval
	digits   int     // significant digits instead of decimals, -1 for all; 0: decimals
	signed   bool    // a difference: printed with its sign
	bounded  bool    // a share: values are from 0 to 1
	fixed    bool    // users cannot choose the decimals
	suffix   string  // printed after the number and a space
	heading  string  // printed after the title of the column instead
	paper    string  // so, in papers only
	legend   string  // says in a text, below the table, what the numbers are
	tiny     string  // printed for a positive number that rounds to 0
}

// The units of values.
var (
	Words  = Unit{name: "words", words: true}
	Count  = Unit{name: "count", scale: 1}
	Share  = Unit{name: "fraction", scale: 100, decimals: 2, bounded: true, paper: " (%)", legend: "rates in %"}                // a fraction, printed in per cent
	Points = Unit{name: "fraction", scale: 100, decimals: 2, signed: true, paper: " (points)", legend: "differences in points"} // a difference of fractions, printed in percentage points
	// SmallShare is a share that can be close to 0, printed in per cent with four digits.
	SmallShare = Unit{name: "fraction", scale: 100, digits: 4, paper: " (%)", legend: "rates in %"}
	P          = Unit{name: "p", scale: 1, decimals: 4, fixed: true, tiny: "<0.0001"} // a probability under a null hypothesis
	Median     = Unit{name: "count", scale: 1, decimals: 1}                           // of counts, perhaps between two
	MeanCount  = Unit{name: "number", scale: 1, decimals: 1}                          // a mean of counts
	Pixels     = Unit{name: "px", scale: 1, decimals: 2, heading: " (px)"}
	Measure    = Unit{name: "number", scale: 1, decimals: 2} // any other measured quantity
	Effect     = Unit{name: "number", scale: 1, decimals: 2, signed: true}
	Seconds    = Unit{name: "s", scale: 1, decimals: 1, fixed: true, suffix: "s"}

	Difference = Effect // of any measured quantity
)

// Digits is the unit of numbers printed with n significant digits, -1 for all.
func Digits(n int) Unit { return Unit{name: "number", scale: 1, digits: n} }

// Format formats a single value with the digits of one without interval.
func (u Unit) Format(v float64) string { return u.show(Number(v), u.decimals, false).text() }

// Rounded formats a value and the bounds of its interval with the given number of
// decimals. Without an interval, low and high are "".
func (u Unit) Rounded(c Cell, decimals int) (value, low, high string) {
	if c.hasInterval() {
		low, high = u.number(c.low, decimals), u.number(c.high, decimals)
	}
	return u.number(c.value, decimals), low, high
}

// Decimals returns the number of decimals of values in a table, whatever its rows: in
// one with intervals, shares have one fewer.
func (u Unit) Decimals(intervals bool) int {
	if intervals && u.bounded {
		return u.decimals - 1
	}
	return u.decimals
}

// longer returns the longer side of a cell's interval.
func longer(c Cell) float64 { return max(c.high-c.value, c.value-c.low) }

// number formats a value without its suffix. A number that rounds to zero has no
// minus sign.
func (u Unit) number(v float64, decimals int) string {
	switch {
	case math.IsNaN(v):
		return "undefined"
	case math.IsInf(v, 1):
		return "infinite"
	case math.IsInf(v, -1):
		return "-infinite"
	case u.digits != 0:
		return strconv.FormatFloat(u.scale*v, 'g', u.digits, 64)
	}
	text := strconv.FormatFloat(u.scale*v, 'f', decimals, 64)
	switch {
	case isZero(text) && v > 0 && u.tiny != "":
		return u.tiny
	case isZero(text):
		return strconv.FormatFloat(0, 'f', decimals, 64)
	case u.signed && v > 0:
		return "+" + text
	}
	return text
}

// isZero reports whether a printed number is 0.
func isZero(text string) bool {
	v, err := strconv.ParseFloat(text, 64)
	return err == nil && v == 0
}

// skewed reports whether ± the longer side would mislead about the interval of a cell.
func (u Unit) skewed(c Cell) bool {
	if !c.hasInterval() {
		return false
	}
	half := longer(c)
	shorter := min(c.high-c.value, c.value-c.low)
	const rounding = 1e-9 // of the share's bounds
	switch low, high := c.value-half, c.value+half; {
	case 2*shorter < half:
		return true
	case u.bounded && (low < -rounding || high > 1+rounding):
		return true
	case u.signed:
		return (low <= 0 && 0 <= high) != (c.low <= 0 && 0 <= c.high)
	}
	return false
}
