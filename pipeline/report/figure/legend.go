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

func (l legend) height(columns int) vg.Length { return rowHeight * vg.Length(l.rows(columns)) }

func (l legend) rows(columns int) int { return (len(l) + columns - 1) / columns }

// draw draws the legend from the top left corner of the canvas, column by column.
func (l legend) draw(c draw.Canvas, columns int) {
	style := textStyle()
	style.YAlign = draw.YCenter
	width := l.width(c.Max.X - c.Min.X)
	var names []string
	for _, e := range l {
		names = append(names, e.name)
	}
	names = fit(names, width-sampleWidth-gap, style)
	for i, e := range l {
		x := c.Min.X + vg.Length(i/l.rows(columns))*(width+2*gap)
		y := c.Max.Y - (vg.Length(i%l.rows(columns))+0.5)*rowHeight
		if e.line != nil {
			c.StrokeLine2(*e.line, x, y, x+sampleWidth, y)
		}
		if e.mark != nil {
			c.DrawGlyph(*e.mark, vg.Point{X: x + sampleWidth/2, Y: y})
		}
		c.FillText(style, vg.Point{X: x + sampleWidth + gap, Y: y}, names[i])
	}
}

// A frame lays out a figure: the data, and the legend below. A title is part of the caption.
type frame struct {
	legend legend
	data   vg.Length // height of the data
}

func (f frame) height(width vg.Length) vg.Length {
	inner := width - 2*gap
	height := f.data + 2*gap
	if len(f.legend) > 0 {
		height += gap + f.legend.height(f.legend.columns(inner))
	}
	return height
}

// draw draws the legend and returns the canvas for the data.
func (f frame) draw(c draw.Canvas) draw.Canvas {
	data := draw.Crop(c, gap, -gap, gap, -gap)
	if len(f.legend) > 0 {
		columns := f.legend.columns(data.Max.X - data.Min.X)
		at := data
		at.Max.Y = at.Min.Y + f.legend.height(columns)
		f.legend.draw(at, columns)
		data.Min.Y = at.Max.Y + gap
	}
	return data
}
