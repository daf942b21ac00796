package figure

import (
	"image/color"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gonum.org/v1/plot"
)

const (
	fontSize   = 8 // points; that of a caption in a paper
	lineWidth  = 1.2 * vg.Length(1)
	thinWidth  = 0.5 * vg.Length(1)
	markRadius = 2.2 * vg.Length(1)
	gap        = 4 * vg.Length(1) // between parts of a figure
)

var (
	black = color.Gray{Y: 0}
	grey  = color.Gray{Y: 110} // references
	light = color.Gray{Y: 225} // grid
)

// colours is the palette of Okabe and Ito (Color Universal Design, 2008), which
// readers with colour vision deficiency can tell apart, without yellow, whose
// lines are too faint on white.
var colours = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {0, 0, 0, 255}, {86, 180, 233, 255}, {230, 159, 0, 255},
}

// dashes and marks differ in number from colours and from each other, so that
// styles repeat only after 7·5·6 = 210 systems, and differ in dash or mark where
// they look alike in grey.
var (
	dashes = [][]vg.Length{nil, {4, 2}, {1.5, 1.5}, {6, 2, 1.5, 2}, {8, 2}}
	marks  = []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{}, draw.RingGlyph{},
	}
)

// lineStyle returns the line of the system with the given index.
func lineStyle(system int) draw.LineStyle {
	return draw.LineStyle{Color: colours[system%len(colours)], Width: lineWidth, Dashes: dashes[system%len(dashes)]}
}

// markStyle returns the mark of the system with the given index.
func markStyle(system int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: colours[system%len(colours)], Radius: markRadius, Shape: marks[system%len(marks)]}
}

// textStyle returns the font of all text. Its widths are those of Arial and
// Helvetica.
func textStyle() text.Style {
	return text.Style{
		Color:   black,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: fontSize},
		Handler: plot.DefaultTextHandler,
	}
}

// newPlot returns an empty plot with the style of all figures.
func newPlot(x, y Axis) *plot.Plot {
	p := plot.New()
	for _, a := range []struct {
		to   *plot.Axis
		from Axis
	}{{&p.X, x}, {&p.Y, y}} {
		a.to.Label.Text = a.from.Label
		label, tick := textStyle(), textStyle()
		label.XAlign, label.YAlign = a.to.Label.TextStyle.XAlign, a.to.Label.TextStyle.YAlign
		label.Rotation = a.to.Label.TextStyle.Rotation
		tick.XAlign, tick.YAlign = a.to.Tick.Label.XAlign, a.to.Tick.Label.YAlign
		a.to.Label.TextStyle, a.to.Tick.Label = label, tick
		a.to.Tick.Length, a.to.Tick.LineStyle.Width, a.to.LineStyle.Width = 3, thinWidth, thinWidth
		a.to.Label.Padding = 2
		a.to.Padding = 0
		if a.from.Ticks != nil {
			a.to.Tick.Marker = a.from.Ticks
		}
	}
	grid := plotter.NewGrid()
	grid.Horizontal = draw.LineStyle{Color: light, Width: thinWidth}
	grid.Vertical = grid.Horizontal
	p.Add(grid)
	return p
}
