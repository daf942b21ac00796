package figure

import (
	"math"
	"strconv"
	"strings"

	"descbench/pipeline/report/table"
)

// An Axis describes one axis of a figure.
type Axis struct {
	Label   string  // with the unit
	Min     float64 // of the range; equal values select
	Max     float64 // the range of the data
	Percent bool    // values are shares, and ticks in per cent
	Log     bool    // logarithmic
	Whole   bool    // values are whole numbers
	// Decimals is the number of decimals of values in print; nil for that of a table of the
	// figure's values.
	Decimals *int
	Names    []string // of the values 0, 1, ..., each with a tick
}

// A Tick is a mark on an axis, with a label or without.
type Tick struct {
	Value float64
	Label string
}

// decimals returns the number of decimals of values in print, with intervals or without.
func (a Axis) decimals(intervals bool) int {
	if a.Decimals != nil {
		return *a.Decimals
	}
	unit, _ := a.unit()
	return unit.Decimals(intervals)
}

// unit returns the unit of values in print, and what follows them.
func (a Axis) unit() (unit table.Unit, suffix string) {
	if a.Percent {
		return table.Share, " %"
	}
	return table.Measure, ""
}

// Rate is an axis from 0 to 100 %.
func Rate(label string) Axis { return Axis{Label: label + " (%)", Max: 1, Percent: true} }

func (a Axis) rate() bool { return a.Max == 1 && a.Percent }

// Share is an axis in per cent, over the range of the data.
func Share(label string) Axis { return Axis{Label: label + " (%)", Percent: true} }

// fixed reports whether the axis has a range of its own.
func (a Axis) fixed() bool { return a.Min != a.Max }

// text returns a value, with intervals of values or without, as tables print it.
func (a Axis) text(v float64, i *Interval, intervals bool) string {
	unit, _ := a.unit()
	switch {
	case a.Names != nil:
		return a.Names[int(v)]
	case a.Whole:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case !a.Percent && a.Decimals == nil:
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64) // without an exponent
		return strconv.FormatFloat(v, 'f', -1, 64)
	case i == nil:
		text, _, _ := unit.Rounded(table.Number(v), a.decimals(intervals))
		return text
	}
	text, low, high := unit.Rounded(table.Between(v, i.Low, i.High), a.decimals(intervals))
	return text + " [" + low + ", " + high + "]"
}

// title returns the label, and what a reader of a graph could miss about the scale.
func (a Axis) title() string {
	switch {
	case a.Names != nil: // which speak for themselves
		return ""
	case a.Log:
		return a.Label + ", log scale"
	case a.Percent && a.Min > 0:
		return a.Label + ", not from 0"
	}
	return a.Label
}

// over returns the axis with the range of data, if it has none of its own, widened
// so that marks do not touch the frame.
func (a Axis) over(low, high float64) Axis {
	if a.fixed() {
		return a
	}
	if n := len(a.Names); n > 0 {
		a.Min, a.Max = -0.5, float64(n)-0.5
		return a
	}
	const margin = 0.05
	switch {
	case !(low <= high): // no data
		low, high = 0, 1
		if a.Log {
			low, high = 1, 10
		}
	case a.Log: // to the next tick
		low, high = 1/roundUp(1/low*(1+margin)), roundUp(high*(1+margin))
	default:
		d := margin * (high - low)
		if least := a.least(high); high-low < least {
			d = (least - (high - low)) / 2
		}
		first, last := low, high
		low, high = low-d, high+d
		for range 2 { // the longer range may have a longer step
			step := a.step(low, high)
			low, high = step*math.Floor(low/step+1e-9), step*math.Ceil(high/step-1e-9)
		}
		if a.Percent { // no share is outside of 0 to 1
			low, high = max(low, min(0, first)), min(high, max(1, last))
		}
	}
	a.Min, a.Max = low, high
	return a
}

// least returns the shortest range of an axis for data near v, so that trifles do not
// look like differences.
func (a Axis) least(v float64) float64 {
	switch {
	case a.Percent:
		return 0.05
	case v == 0:
		return 1
	}
	return 0.01 * math.Abs(v)
}

// ticks returns the ticks of the axis: its names, or those at round numbers.
func (a Axis) ticks(low, high float64) (ticks []Tick) {
	for i, name := range a.Names {
		ticks = append(ticks, Tick{float64(i), name})
	}
	if ticks != nil {
		return ticks
	}
	if a.Log {
		return logTicks(low, high)
	}
	scale := 1.0
	if a.Percent {
		scale = 100
	}
	step := scale * a.step(low, high)
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	const slack = 1e-9 // of a step
	for i := math.Ceil(scale*low/step - slack); i*step <= scale*high+slack*step; i++ {
		v := i * step
		ticks = append(ticks, Tick{Value: v / scale, Label: Minus(strconv.FormatFloat(v+0, 'f', decimals, 64))})
	}
	return ticks
}

// step returns the distance of ticks.
func (a Axis) step(low, high float64) float64 {
	switch {
	case a.Whole && high-low <= 10:
		return 1
	case a.Whole:
		return max(1, roundUp((high-low)/6))
	case a.Percent:
		return roundUp(100*(high-low)/6) / 100
	}
	return roundUp((high - low) / 6)
}

// roundUp returns the smallest of 1, 2 and 5 times a power of ten that is not less
// than v.
func roundUp(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= v*(1-1e-9) {
			return f * power
		}
	}
	return 10 * power
}

// logTicks returns labelled ticks at 1, 2 and 5 times powers of ten, or only at
// the powers over a range so wide that labels could touch, and ticks without labels between them.
func logTicks(low, high float64) []Tick {
	wide := high/low > 200
	var ticks []Tick
	for e := math.Floor(math.Log10(low)); math.Pow(10, e) <= high*(1+1e-9); e++ {
		for f := 1.0; f < 10; f++ {
			v := f * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			tick := Tick{Value: v}
			if f == 1 || !wide && (f == 2 || f == 5) {
				tick.Label = strconv.FormatFloat(v, 'f', max(0, -int(e)), 64)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// place returns where on the axis a value stands, from 0 to 1.
func (a Axis) place(v float64) float64 {
	if a.Log {
		return math.Log(v/a.Min) / math.Log(a.Max/a.Min)
	}
	return (v - a.Min) / (a.Max - a.Min)
}

// Minus replaces the hyphen before a negative number by a minus sign.
func Minus(number string) string { return strings.ReplaceAll(number, "-", "−") }
