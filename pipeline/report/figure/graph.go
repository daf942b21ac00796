package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Point is a point of a curve, in units of the axes.
type Point = plotter.XY

// An Axis describes one axis of a graph.
type Axis struct {
	Label    string  // with the unit
	Min, Max float64 // range; equal values select the range of the data
	Ticks    plot.Ticker
}

// Rate is an axis from 0 to 1.
func Rate(label string) Axis {
	return Axis{Label: label, Max: 1, Ticks: plot.ConstantTicks{
		{Value: 0, Label: "0"}, {Value: 0.2, Label: "0.2"}, {Value: 0.4, Label: "0.4"},
		{Value: 0.6, Label: "0.6"}, {Value: 0.8, Label: "0.8"}, {Value: 1, Label: "1"},
	}}
}

// A Curve is the line of one system.
type Curve struct {
	Name   string // in the legend
	System int    // index of the system among all systems of a run; selects the style
	Points []Point
	Dot    *Point // a point of the curve to mark, such as an operating point
}

// A Reference is a grey line to compare curves with, such as chance.
type Reference struct {
	Name   string // in the legend
	Points []Point
}

// A Graph is a figure with curves. The legend stands outside of the data: on the
// right in a figure of page width, below in narrower ones.
type Graph struct {
	Title      string    // above the graph; may be empty
	Width      vg.Length // 0: Column
	X, Y       Axis
	Curves     []Curve
	References []Reference
	Dots       string // what the dots mark, for the legend; may be empty
}

// dataHeight is the height of a graph without title and legend.
const dataHeight = 66 * vg.Millimeter

// Size returns the size of the figure, including the legend.
func (g *Graph) Size() (width, height vg.Length) {
	width, height = g.width(), dataHeight+g.titleHeight()
	if l := g.legend(); g.wide() {
		height = max(height, l.height(1)+2*gap)
	} else {
		height += gap + l.height(l.columns(width-2*gap))
	}
	return width, height
}

func (g *Graph) width() vg.Length {
	if g.Width == 0 {
		return Column
	}
	return g.Width
}

func (g *Graph) wide() bool { return g.width() >= Page }

func (g *Graph) titleHeight() vg.Length {
	if g.Title == "" {
		return 0
	}
	return vg.Length(fontSize) + gap
}

func (g *Graph) draw(c draw.Canvas) error {
	p, err := g.plot()
	if err != nil {
		return err
	}
	c.SetColor(p.BackgroundColor)
	c.Fill(c.Path())
	inner := draw.Crop(c, gap, -gap, gap, -gap)
	if g.Title != "" {
		title := textStyle()
		title.XAlign, title.YAlign = draw.XCenter, draw.YTop
		inner.FillText(title, vg.Point{X: inner.Center().X, Y: inner.Max.Y}, g.Title)
	}
	l := g.legend()
	data := draw.Crop(inner, 0, 0, 0, -g.titleHeight())
	if g.wide() {
		width := l.width()
		l.draw(draw.Crop(data, data.Max.X-data.Min.X-width, 0, 0, 0), 1)
		data.Max.X -= width + gap
	} else {
		columns := l.columns(inner.Max.X - inner.Min.X)
		height := l.height(columns)
		below := inner
		below.Max.Y = below.Min.Y + height
		l.draw(below, columns)
		data.Min.Y += height + gap
	}
	p.Draw(data)
	return nil
}

func (g *Graph) plot() (*plot.Plot, error) {
	p := newPlot(g.X, g.Y)
	for _, r := range g.References {
		line, err := plotter.NewLine(plotter.XYs(r.Points))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		line.LineStyle = referenceStyle
		p.Add(line)
	}
	for _, curve := range g.Curves {
		if err := g.addCurve(p, curve); err != nil {
			return nil, fmt.Errorf("%s: %w", curve.Name, err)
		}
	}
	if g.X.Min != g.X.Max {
		p.X.Min, p.X.Max = g.X.Min, g.X.Max
	}
	if g.Y.Min != g.Y.Max {
		p.Y.Min, p.Y.Max = g.Y.Min, g.Y.Max
	}
	return p, nil
}

var referenceStyle = draw.LineStyle{Color: grey, Width: thinWidth, Dashes: []vg.Length{2, 2}}

func (g *Graph) addCurve(p *plot.Plot, curve Curve) error {
	if len(curve.Points) == 0 {
		return nil
	}
	all := plotter.XYs(curve.Points)
	xMin, xMax, yMin, yMax := plotter.XYRange(all)
	if g.X.Min != g.X.Max {
		xMin, xMax = g.X.Min, g.X.Max
	}
	if g.Y.Min != g.Y.Max {
		yMin, yMax = g.Y.Min, g.Y.Max
	}
	line, err := plotter.NewLine(thin(all, (xMax-xMin)/drawnSteps, (yMax-yMin)/drawnSteps))
	if err != nil {
		return err
	}
	line.LineStyle = lineStyle(curve.System)
	p.Add(line)
	points, err := plotter.NewScatter(spread(all, curve.System))
	if err != nil {
		return err
	}
	points.GlyphStyle = markStyle(curve.System)
	p.Add(points)
	if curve.Dot != nil {
		dot, err := plotter.NewScatter(plotter.XYs{*curve.Dot})
		if err != nil {
			return err
		}
		dot.GlyphStyle = dotStyle(line.Color)
		p.Add(dot)
	}
	return nil
}

// marksPerCurve bounds the marks of a curve. Curves of fewer points have a mark
// at each.
const marksPerCurve = 12

// spread selects the points of a curve that get a mark. Marks are spread over the
// length of the curve relative to its extent, at other positions for each system,
// so that marks of curves that coincide do not.
func spread(points plotter.XYs, system int) plotter.XYs {
	if len(points) <= marksPerCurve {
		return points
	}
	xMin, xMax, yMin, yMax := plotter.XYRange(points)
	step := func(i int) float64 {
		dx, dy := points[i].X-points[i-1].X, points[i].Y-points[i-1].Y
		return math.Hypot(dx/max(xMax-xMin, 1e-300), dy/max(yMax-yMin, 1e-300))
	}
	length := 0.0
	for i := 1; i < len(points); i++ {
		length += step(i)
	}
	const n = 6
	next := length / n * (0.2 + 0.6*math.Mod(float64(system)*0.618, 1)) // golden ratio: far apart for neighbouring systems
	var marked plotter.XYs
	at := 0.0
	for i := 1; i < len(points); i++ {
		before := at
		at += step(i)
		for ; at >= next && len(marked) < n; next += length / n {
			t := (next - before) / (at - before)
			marked = append(marked, Point{
				X: points[i-1].X + t*(points[i].X-points[i-1].X),
				Y: points[i-1].Y + t*(points[i].Y-points[i-1].Y),
			})
		}
	}
	return marked
}
