package table

import (
	"cmp"
	"math"
	"strings"
)

// A Cell is the content of a row in a column. The zero Cell is empty: the column
// does not apply to the row.
type Cell struct {
	kind             kind
	text             string // words
	value, low, high float64
	std              float64 // standard deviation over repetitions; NaN without any
	note             string
	mark             Mark
}

type kind int

const (
	empty kind = iota
	words
	number
)

// A Mark says what a significance test found about a value.
type Mark int

// The marks of a value.
const (
	Untested Mark = iota
	Significant
	NotSignificant
)

// Text returns a cell of words. In a column of numbers, they stand for a value.
func Text(s string) Cell { return Cell{kind: words, text: s} }

// Number returns a cell with a value in the unit of its column. NaN is printed as
// undefined.
func Number(v float64) Cell { return Between(v, math.NaN(), math.NaN()) }

// Integer returns a cell with a whole number.
func Integer[T ~int | ~int64](n T) Cell { return Number(float64(n)) }

// Between returns a cell with a value and its interval. NaN as low or high means
// that there is no interval.
func Between(v, low, high float64) Cell {
	return Cell{kind: number, value: v, low: low, high: high, std: math.NaN()}
}

// Repeated returns the cell with the standard deviation of its value over repetitions.
func (c Cell) Repeated(std float64) Cell {
	c.std = std
	return c
}

// Noted returns the cell with a remark to print after the value.
func (c Cell) Noted(remark string) Cell {
	c.note = remark
	return c
}

// Marked returns the cell with the finding of a significance test.
func (c Cell) Marked(m Mark) Cell {
	c.mark = m
	return c
}

// Empty reports whether the cell is the zero Cell.
func (c Cell) Empty() bool { return c.kind == empty }

// Value returns the number, NaN if it is undefined.
func (c Cell) Value() float64 {
	if c.kind != number {
		return math.NaN()
	}
	return c.value
}

// Mark returns the mark of what a significance test found, after a space; "" without one.
func (c Cell) Mark() string {
	switch c.mark {
	case Significant:
		return " " + significantMark
	case NotSignificant:
		return " " + notSignificantMark
	}
	return ""
}

// Defined reports whether the cell has a value to compare.
func (c Cell) Defined() bool { return c.kind == number && !math.IsNaN(c.value) }

// hasInterval reports whether the cell has an interval of some length, more than a rounding error.
func (c Cell) hasInterval() bool {
	return c.Defined() && c.high-c.low > 1e-12*max(math.Abs(c.low), math.Abs(c.high)) // false for NaN
}

// compare orders cells as SortBy does.
func (c Cell) compare(other Cell, lowerFirst bool) int {
	switch {
	case c.kind == words && other.kind == words:
		return strings.Compare(c.text, other.text)
	case c.Defined() && !other.Defined():
		return -1
	case !c.Defined() && other.Defined():
		return 1
	case !c.Defined():
		return 0
	case lowerFirst:
		return cmp.Compare(c.value, other.value)
	}
	return cmp.Compare(other.value, c.value)
}
