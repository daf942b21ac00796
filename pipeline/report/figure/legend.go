package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	sampleWidth = 18 * vg.Length(1) // of a line in the legend
	rowHeight   = 1.35 * vg.Length(fontSize)
)

// A legend lists samples of lines and marks with their names.
type legend []entry

type entry struct {
	name string
	line *draw.LineStyle
	mark *draw.GlyphStyle
}

func (g *Graph) legend() legend {
	var l legend
	for _, c := range g.Curves {
		line, mark := lineStyle(c.System), markStyle(c.System)
		l = append(l, entry{c.Name, &line, &mark})
	}
	for _, r := range g.References {
		l = append(l, entry{r.Name, &referenceStyle, nil})
	}
	if g.Dots != "" {
		mark := dotStyle(grey)
		l = append(l, entry{g.Dots, nil, &mark})
	}
	return l
}

func dotStyle(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: 1.6 * markRadius, Shape: draw.PyramidGlyph{}}
}

// width returns the width of one column.
func (l legend) width() vg.Length {
	width := vg.Length(0)
	for _, e := range l {
		width = max(width, textStyle().Width(e.name))
	}
	return sampleWidth + gap + width
}

// columns returns how many columns fit into a width, at least one.
func (l legend) columns(width vg.Length) int {
	n := int((width + gap) / (l.width() + gap))
	return max(1, min(n, len(l)))
}

func (l legend) height(columns int) vg.Length {
	return rowHeight * vg.Length((len(l)+columns-1)/columns)
}

// draw draws the legend from the top left corner of the canvas, row by row.
func (l legend) draw(c draw.Canvas, columns int) {
	style := textStyle()
	style.YAlign = draw.YCenter
	for i, e := range l {
		x := c.Min.X + vg.Length(i%columns)*(l.width()+gap)
		y := c.Max.Y - (vg.Length(i/columns)+0.5)*rowHeight
		if e.line != nil {
			c.StrokeLine2(*e.line, x, y, x+sampleWidth, y)
		}
		if e.mark != nil {
			c.DrawGlyph(*e.mark, vg.Point{X: x + sampleWidth/2, Y: y})
		}
		c.FillText(style, vg.Point{X: x + sampleWidth + gap, Y: y}, e.name)
	}
}
