package figure

import (
	"image/color"
	"math"
	"slices"

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
	rowHeight  = 1.35 * vg.Length(fontSize)
)

// Numbers of the looks that tell systems apart.
const (
	Colours = 7
	Marks   = 12 // also without a line or colour
)

var (
	white = color.Gray{Y: 255}
	black = color.Gray{Y: 0}
	grey  = color.Gray{Y: 110} // references
	light = color.Gray{Y: 225} // grid
)

// colours is the palette of Okabe and Ito (Color Universal Design, 2008), which
// readers with colour vision deficiency can tell apart, without yellow, whose
// lines are too faint on white.
var colours = [Colours]color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {0, 0, 0, 255}, {86, 180, 233, 255}, {230, 159, 0, 255},
}

// dashes and marks differ in number from colours and from each other, so that
// styles repeat only after 7·5·12 = 420 systems, and the first 60 differ in dash or mark,
// by which readers of grey print tell them apart.
var (
	dashes   = [][]vg.Length{{}, {4, 2}, {1.5, 1.5}, {6, 2, 1.5, 2}, {8, 2}}
	square   = []Point{{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}
	triangle = []Point{{0, 1.2}, {1.15, -0.8}, {-1.15, -0.8}}
	inverted = []Point{{0, -1.2}, {1.15, 0.8}, {-1.15, 0.8}}
	diamond  = []Point{{0, -1.3}, {1.1, 0}, {0, 1.3}, {-1.1, 0}}
	cross    = [][]Point{{{-1, -1}, {1, 1}}, {{-1, 1}, {1, -1}}}
	plus     = [][]Point{{{-1.2, 0}, {1.2, 0}}, {{0, -1.2}, {0, 1.2}}}
	marks    = [Marks]Mark{
		{true, nil}, {true, [][]Point{square}}, {true, [][]Point{triangle}}, {false, cross}, {false, plus}, {false, nil},
		{true, [][]Point{diamond}}, {false, [][]Point{square}}, {true, [][]Point{inverted}}, {false, [][]Point{diamond}},
		{false, slices.Concat(cross, plus)}, {false, [][]Point{inverted}},
	}
)

// A Mark is a shape that stands on points of a system.
type Mark struct {
	Filled bool
	Lines  [][]Point // closed, in radii from the centre, Y upwards; nil: a circle
}

// DrawGlyph implements draw.GlyphDrawer.
func (m Mark) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) { m.drawAt(c, style, at) }

// drawAt draws the mark at places, as one path.
func (m Mark) drawAt(c *draw.Canvas, style draw.GlyphStyle, places ...vg.Point) {
	var path vg.Path
	for _, at := range places {
		if m.Lines == nil {
			path.Move(vg.Point{X: at.X + style.Radius, Y: at.Y})
			path.Arc(at, style.Radius, 0, 2*math.Pi)
			path.Close()
		}
		for _, line := range m.Lines {
			for i, p := range line {
				to := at.Add(vg.Point{X: vg.Length(p.X), Y: vg.Length(p.Y)}.Scale(style.Radius))
				if i == 0 {
					path.Move(to)
				} else {
					path.Line(to)
				}
			}
			path.Close()
		}
	}
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: 1.6 * thinWidth})
	if m.Filled {
		c.Fill(path)
	} else {
		c.Stroke(path)
	}
}

// A Look is how a system is drawn: the indexes of its colour, its dash and its mark, each modulo
// their number.
type Look struct{ Colour, Dash, Mark int }

// NewLook returns the look of the system of an index, if all three tell systems apart.
func NewLook(system int) Look { return Look{system, system, system} }

// Grey is the colour of a look that is not of a method, or of one that is not chosen among many.
const Grey = -1

func (l Look) colour() color.RGBA {
	if l.Colour == Grey {
		return color.RGBA{grey.Y, grey.Y, grey.Y, 255}
	}
	return colours[l.Colour%len(colours)]
}

func (l Look) line() draw.LineStyle {
	return draw.LineStyle{Color: l.colour(), Width: lineWidth, Dashes: dashes[l.Dash%len(dashes)]}
}

func (l Look) mark() draw.GlyphStyle {
	return draw.GlyphStyle{Color: l.colour(), Radius: markRadius, Shape: marks[l.Mark%Marks]}
}

var referenceStyle = draw.LineStyle{Color: grey, Width: thinWidth, Dashes: []vg.Length{2, 2}}

// levelStyles are the lines of the levels of bars.
var levelStyles = []draw.LineStyle{referenceStyle, {Color: grey, Width: thinWidth, Dashes: []vg.Length{6, 2}}}

// partStyles are the marks of the parts of bars.
var partStyles = []draw.GlyphStyle{
	{Color: black, Radius: 0.8 * markRadius, Shape: draw.CircleGlyph{}},
	{Color: black, Radius: 0.8 * markRadius, Shape: draw.BoxGlyph{}},
	{Color: black, Radius: 0.8 * markRadius, Shape: draw.CrossGlyph{}},
}

// MostBands is the largest number of curves whose intervals are drawn as bands: those of more
// cover each other.
const MostBands = 2

func dotStyle(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: 1.6 * markRadius, Shape: draw.TriangleGlyph{}}
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

// fit returns names of at most a width. It cuts those that are longer in the middle,
// or elsewhere if names would become equal.
func fit(names []string, width vg.Length, style text.Style) []string {
	var first []string
	distinct := func(names []string) int { return len(slices.Compact(slices.Sorted(slices.Values(names)))) }
	for _, head := range []float64{0.5, 0.2, 0.8, 0, 1} {
		short := make([]string, len(names))
		for i, name := range names {
			short[i] = cut(name, head, width, style)
		}
		if first == nil {
			first = short
		}
		if distinct(short) == distinct(names) {
			return short
		}
	}
	return first
}

// cut shortens a text to a width. Of what is kept, a share comes from its head.
func cut(s string, head float64, width vg.Length, style text.Style) string {
	if style.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	for n := len(runes) - 1; n > 0; n-- {
		first := int(math.Round(head * float64(n)))
		short := string(runes[:first]) + "…" + string(runes[len(runes)-(n-first):])
		if style.Width(short) <= width {
			return short
		}
	}
	return "…"
}

// newPlot returns an empty plot with the style of all figures. The axes have ranges. The label of X is drawn by
// drawLabelled.
func newPlot(x, y Axis) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.Y.Label.Text = y.title()
	for _, a := range []struct {
		to   *plot.Axis
		from Axis
	}{{&p.X, x}, {&p.Y, y}} {
		label, tick := textStyle(), textStyle()
		label.XAlign, label.YAlign = a.to.Label.TextStyle.XAlign, a.to.Label.TextStyle.YAlign
		label.Rotation = a.to.Label.TextStyle.Rotation
		tick.XAlign, tick.YAlign = a.to.Tick.Label.XAlign, a.to.Tick.Label.YAlign
		a.to.Label.TextStyle, a.to.Tick.Label = label, tick
		a.to.Tick.Length, a.to.Tick.LineStyle.Width, a.to.LineStyle.Width = 3, thinWidth, thinWidth
		a.to.Label.Padding = 2
		a.to.Padding = 0
		var ticks plot.ConstantTicks
		for _, t := range a.from.ticks(a.from.Min, a.from.Max) {
			ticks = append(ticks, plot.Tick(t))
		}
		a.to.Tick.Marker = ticks
		if a.from.Log {
			a.to.Scale = plot.LogScale{}
		}
		a.to.Min, a.to.Max = a.from.Min, a.from.Max
	}
	grid := plotter.NewGrid()
	grid.Horizontal = draw.LineStyle{Color: light, Width: thinWidth}
	grid.Vertical = grid.Horizontal
	p.Add(grid)
	return p
}

// drawLabelled draws a plot on the upper part of a canvas, and a label of its X axis at the lower edge of the
// canvas: plot would reserve room beside the data for one that is wider.
func drawLabelled(p *plot.Plot, label string, c, upper draw.Canvas) {
	style := p.X.Label.TextStyle
	style.YAlign = draw.YBottom
	data, half := p.DataCanvas(upper), style.Width(label)/2
	c.FillText(style, vg.Point{X: max(c.Min.X+half, min(c.Max.X-half, data.Center().X)), Y: c.Min.Y}, label)
	p.Draw(upper)
}
