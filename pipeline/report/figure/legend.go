package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const sampleWidth = 18 * vg.Length(1) // of a line in the legend

// A legend lists samples of lines and marks with their names.
type legend []entry

type entry struct {
	name string
	line *draw.LineStyle
	mark *draw.GlyphStyle

	system bool // of a system, whose look pages show elsewhere
}

// sample draws the line and the mark from the left end of the line.
func (e entry) sample(c draw.Canvas, from vg.Point) {
	if e.line != nil {
		c.StrokeLine2(*e.line, from.X, from.Y, from.X+sampleWidth, from.Y)
	}
	if e.mark != nil {
		c.DrawGlyphNoClip(*e.mark, vg.Point{X: from.X + sampleWidth/2, Y: from.Y})
	}
}

// width returns the width of one column, at most that of the figure.
func (l legend) width(all vg.Length) vg.Length {
	width := vg.Length(0)
	for _, e := range l {
		width = max(width, textStyle().Width(e.name))
	}
	return min(sampleWidth+gap+width, all)
}

// columns returns how many columns fit into a width, at least one.
func (l legend) columns(width vg.Length) int {
	n := int((width + 2*gap) / (l.width(width) + 2*gap))
	return max(1, min(n, len(l)))
}

// height returns the height of the legend in a width.
func (l legend) height(width vg.Length) vg.Length {
	return rowHeight * vg.Length(l.rows(l.columns(width)))
}

func (l legend) rows(columns int) int { return (len(l) + columns - 1) / columns }

// draw draws the legend from the top left corner of the canvas, column by column.
func (l legend) draw(c draw.Canvas) {
	style := textStyle()
	style.YAlign = draw.YCenter
	columns, width := l.columns(c.Max.X-c.Min.X), l.width(c.Max.X-c.Min.X)
	var names []string
	for _, e := range l {
		names = append(names, e.name)
	}
	names = fit(names, width-sampleWidth-gap, style)
	for i, e := range l {
		x := c.Min.X + vg.Length(i/l.rows(columns))*(width+2*gap)
		y := c.Max.Y - (vg.Length(i%l.rows(columns))+0.5)*rowHeight
		e.sample(c, vg.Point{X: x, Y: y})
		c.FillText(style, vg.Point{X: x + sampleWidth + gap, Y: y}, names[i])
	}
}
