package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"descbench/pipeline/report/table"
)

// A Bar is the value of one system.
type Bar struct {
	Name     string
	Group    string // heads the bars of a group, which follow each other; "" without groups
	System   int
	Look     Look
	Value    float64
	Interval *Interval // nil without one
	Parts    []float64 // values that Value is the mean of
}

// A Level is a value to compare bars with, such as chance.
type Level struct {
	Name  string // in the legend
	Value float64
	Line  int // 0 or 1: selects the look
}

// Bars is a figure with one horizontal bar per system, from zero to its value, from
// top to bottom.
type Bars struct {
	X      Axis
	Bars   []Bar
	Levels []Level
	// Parts names the parts of each bar, in the legend; at most as many as partStyles.
	Parts []string
}

// intervals reports whether any bar has one.
func (b *Bars) intervals() bool {
	return slices.ContainsFunc(b.Bars, func(bar Bar) bool { return bar.Interval != nil })
}

// texts returns the values of the bars in print.
func (b *Bars) texts() (texts []string) {
	unit, suffix := b.X.unit()
	decimals := b.X.decimals(b.intervals())
	for _, bar := range b.Bars {
		text, _, _ := unit.Rounded(table.Number(bar.Value), decimals)
		texts = append(texts, Minus(text)+suffix)
	}
	return texts
}

const (
	barRow    = 1.5 * vg.Length(fontSize) // height of a bar and the space to the next
	barHeight = 0.62 * barRow

	// Names take at most a share of the width, or as much as most of 20 characters if bars keep room.
	nameShare = 0.33
	usualName = 86 * vg.Length(1)
	leastBars = 130 * vg.Length(1) // with their marks and values
)

func (b *Bars) legend() (l legend) {
	for _, level := range b.Levels {
		l = append(l, entry{name: level.Name, line: &levelStyles[level.Line]})
	}
	for i, name := range b.Parts {
		l = append(l, entry{name: name, mark: &partStyles[i]})
	}
	return l
}

// rows returns the row of each bar, and their number. The row before a group is for its name.
func (b *Bars) rows() (of []int, all int) {
	for i := range b.Bars {
		if b.headed(i) {
			all++
		}
		of, all = append(of, all), all+1
	}
	return of, all
}

// headed reports whether a bar is the first of a group.
func (b *Bars) headed(i int) bool {
	return b.Bars[i].Group != "" && (i == 0 || b.Bars[i].Group != b.Bars[i-1].Group)
}

func (b *Bars) height(vg.Length) vg.Length {
	const below = 2*rowHeight + 8 // tick labels and the axis label
	_, rows := b.rows()
	return barRow*vg.Length(max(rows, 2)) + below
}

// extent returns the range of zero, values, intervals and levels.
func (b *Bars) extent() (low, high float64) {
	for _, bar := range b.Bars {
		low, high = min(low, bar.Value), max(high, bar.Value)
		if v := bar.Interval; v != nil {
			low, high = min(low, v.Low), max(high, v.High)
		}
		for _, v := range bar.Parts {
			low, high = min(low, v), max(high, v)
		}
	}
	for _, level := range b.Levels {
		low, high = min(low, level.Value), max(high, level.Value)
	}
	return low, high
}

// ShareX gives bars of rates that stand next to each other the same axis: to the largest value, end of an interval
// or level, rounded up to 10 %.
func ShareX(all []*Bars) {
	most := 0.1
	for _, b := range all {
		_, high := b.extent()
		most = max(most, high)
	}
	for _, b := range all {
		b.X.Max = math.Ceil(10*most) / 10
	}
}

// axis returns the axis with its range, which includes zero.
func (b *Bars) axis() Axis {
	if b.X.fixed() {
		return b.X
	}
	low, high := b.extent()
	x := b.X.over(low, high)
	if low == 0 {
		x.Min = 0
	}
	return x
}

// names returns the names of the bars as drawn in a width.
func (b *Bars) names(width vg.Length) []string {
	var full []string
	for _, bar := range b.Bars {
		full = append(full, bar.Name)
	}
	return fit(full, max(nameShare*width, min(usualName, width-leastBars)), textStyle())
}

// Shortened explains in a caption the names of bars that are cut in a figure of a width, "" for none.
func Shortened(d Figure, width vg.Length) string {
	b, is := d.(*Bars)
	if !is {
		return ""
	}
	var said []string
	for i, name := range b.names(width - 2*gap) {
		if full := b.Bars[i].Name; name != full {
			said = append(said, name+" is "+full+".")
		}
	}
	slices.Sort(said)
	return strings.Join(slices.Compact(said), " ")
}

func (b *Bars) draw(data draw.Canvas) {
	var names, values vg.Length
	style := textStyle()
	all := b.names(data.Max.X - data.Min.X)
	for _, name := range all {
		names = max(names, style.Width(name))
	}
	for _, text := range b.texts() {
		values = max(values, gap+style.Width(text))
	}
	named := 2*markRadius + gap + names + gap
	_, rows := b.rows()
	x := b.axis()
	p := newPlot(x, Axis{Min: 0, Max: float64(max(rows, 1))})
	p.HideY()
	p.Add(bars{b, all, names, values})
	drawLabelled(p, x.title(), data, draw.Crop(data, named, -values, rowHeight, 0))
}

// bars draws the bars of a figure, their marks and names on the left, and their values on the
// right.
type bars struct {
	*Bars
	names         []string // as drawn
	width, values vg.Length
}

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, level := range b.Levels {
		c.StrokeLine2(levelStyles[level.Line], x(level.Value), c.Min.Y, x(level.Value), c.Max.Y)
	}
	style := textStyle()
	style.XAlign, style.YAlign = draw.XRight, draw.YCenter
	row, rows := b.rows()
	texts := b.texts()
	for i, bar := range b.Bars.Bars {
		middle := y(float64(rows-row[i]) - 0.5)
		low, high := x(math.Min(0, bar.Value)), x(math.Max(0, bar.Value))
		named := c.Min.X - gap
		marked := named - b.width - gap - markRadius
		if b.headed(i) {
			var members []int
			for _, other := range b.Bars.Bars {
				if other.Group == bar.Group {
					members = append(members, other.System)
				}
			}
			heading := textStyle()
			heading.YAlign, heading.Color = draw.YCenter, grey
			left := marked - markRadius
			end := group(c, members, ` class="row"`)
			c.FillText(heading, vg.Point{X: left, Y: y(float64(rows-row[i]) + 0.5)}, cut(bar.Group, 0.5, c.Max.X-left, heading))
			end()
		}
		end := group(c, []int{bar.System}, ` class="row"`+b.value(c, i, middle))
		c.FillPolygon(bar.Look.colour(), []vg.Point{
			{X: low, Y: middle - barHeight/2}, {X: high, Y: middle - barHeight/2},
			{X: high, Y: middle + barHeight/2}, {X: low, Y: middle + barHeight/2},
		})
		if v := bar.Interval; v != nil {
			whisker(c, x(v.Low), x(v.High), middle)
		}
		for k, v := range bar.Parts { // at the edge, where no interval is
			c.DrawGlyphNoClip(partStyles[k], vg.Point{X: x(v), Y: middle - barHeight/2})
		}
		c.FillText(style, vg.Point{X: named, Y: middle}, b.names[i])
		c.FillText(style, vg.Point{X: c.Max.X + b.values, Y: middle}, texts[i])
		c.DrawGlyphNoClip(bar.Look.mark(), vg.Point{X: marked, Y: middle})
		end()
	}
	c.StrokeLine2(draw.LineStyle{Color: black, Width: thinWidth}, x(0), c.Min.Y, x(0), c.Max.Y)
}

// value returns, for the script of a page, " y;text" of a bar in a row, which stands for any x.
func (b bars) value(c draw.Canvas, bar int, y vg.Length) string {
	if !onPage(c) {
		return ""
	}
	of := b.Bars.Bars[bar]
	return fmt.Sprintf(` data-values=" %s;%s"`, inSVG(-y), b.X.text(of.Value, of.Interval, b.intervals()))
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
