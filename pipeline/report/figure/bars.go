package figure

import (
	"encoding/json"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Bar is the value of one system.
type Bar struct {
	Name     string    `json:"name"`
	System   int       `json:"system"` // selects the style
	Value    float64   `json:"value"`
	Interval *Interval `json:"interval,omitempty"` // nil without one
}

// A Level is a value to compare bars with, such as chance.
type Level struct {
	Name  string  `json:"name"` // in the legend
	Value float64 `json:"value"`
}

// Bars is a figure with one horizontal bar per system, from zero to its value, from
// top to bottom.
type Bars struct {
	X      Axis    `json:"x"`
	Bars   []Bar   `json:"bars"`
	Levels []Level `json:"levels,omitempty"`
}

// Kind returns "bars".
func (b *Bars) Kind() string { return "bars" }

// MarshalJSON adds what an axis prints.
func (b *Bars) MarshalJSON() ([]byte, error) {
	type plain Bars
	out := plain(*b)
	var values []float64
	var intervals []*Interval
	for _, bar := range b.Bars {
		values, intervals = append(values, bar.Value), append(intervals, bar.Interval)
	}
	out.X = b.axis().printed(cells(values, intervals), !b.X.fixed())
	return json.Marshal(out)
}

const (
	barRow    = 1.5 * vg.Length(fontSize) // height of a bar and the space to the next
	barHeight = 0.62 * barRow
	nameShare = 0.45 // of the width, at most, for names
)

func (b *Bars) frame() frame {
	var l legend
	for i, level := range b.Levels {
		l = append(l, entry{name: level.Name, line: &levelStyles[i%len(levelStyles)]})
	}
	below := 2*rowHeight + 8 // tick labels and the axis label
	return frame{legend: l, data: barRow*vg.Length(max(len(b.Bars), 2)) + below}
}

func (b *Bars) height(width vg.Length) vg.Length { return b.frame().height(width) }

// axis returns the axis with its range, which includes zero.
func (b *Bars) axis() Axis {
	if b.X.fixed() {
		return b.X
	}
	low, high := 0.0, 0.0
	take := func(v float64) { low, high = min(low, v), max(high, v) }
	for _, bar := range b.Bars {
		take(bar.Value)
		if bar.Interval != nil {
			take(bar.Interval.Low)
			take(bar.Interval.High)
		}
	}
	for _, level := range b.Levels {
		take(level.Value)
	}
	x := b.X.over(low, high)
	if low == 0 {
		x.Min = 0
	}
	return x
}

func (b *Bars) draw(c draw.Canvas) error {
	data := b.frame().draw(c)
	names := vg.Length(0)
	style := textStyle()
	all := make([]string, len(b.Bars))
	for i, bar := range b.Bars {
		all[i] = bar.Name
	}
	all = fit(all, nameShare*(data.Max.X-data.Min.X), style)
	for _, name := range all {
		names = max(names, style.Width(name))
	}
	named := 2*markRadius + gap + names + gap
	p := newPlot(b.axis(), Axis{Min: 0, Max: float64(max(len(b.Bars), 1))})
	p.HideY()
	p.Add(bars{b, all, names})
	p.Draw(draw.Crop(data, named, 0, 0, 0))
	return nil
}

// bars draws the bars of a figure, and their marks and names on the left.
type bars struct {
	*Bars
	names []string // as drawn
	width vg.Length
}

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, level := range b.Levels {
		c.StrokeLine2(levelStyles[i%len(levelStyles)], x(level.Value), c.Min.Y, x(level.Value), c.Max.Y)
	}
	style := textStyle()
	style.XAlign, style.YAlign = draw.XRight, draw.YCenter
	for i, bar := range b.Bars.Bars {
		middle := y(float64(len(b.Bars.Bars)-i) - 0.5)
		low, high := x(math.Min(0, bar.Value)), x(math.Max(0, bar.Value))
		c.FillPolygon(colours[bar.System%len(colours)], []vg.Point{
			{X: low, Y: middle - barHeight/2}, {X: high, Y: middle - barHeight/2},
			{X: high, Y: middle + barHeight/2}, {X: low, Y: middle + barHeight/2},
		})
		if v := bar.Interval; v != nil {
			whisker(c, x(v.Low), x(v.High), middle)
		}
		left := c.Min.X - gap
		c.FillText(style, vg.Point{X: left, Y: middle}, b.names[i])
		c.DrawGlyphNoClip(markStyle(bar.System), vg.Point{X: left - b.width - gap - markRadius, Y: middle})
	}
	c.StrokeLine2(draw.LineStyle{Color: black, Width: thinWidth}, x(0), c.Min.Y, x(0), c.Max.Y)
}

// whisker draws an interval with ends, light around dark, so that it stands out
// from bars of all colours.
func whisker(c draw.Canvas, low, high, y vg.Length) {
	const end = barHeight / 4
	for _, style := range []draw.LineStyle{{Color: white, Width: 2.2}, {Color: black, Width: 0.8}} {
		c.StrokeLine2(style, low, y, high, y)
		c.StrokeLine2(style, low, y-end, low, y+end)
		c.StrokeLine2(style, high, y-end, high, y+end)
	}
}
