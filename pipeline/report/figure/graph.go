package figure

import (
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Point is a point of a curve, in units of the axes. Its JSON form is [x, y].
type Point struct{ X, Y float64 }

// MarshalJSON encodes the point as a list of two numbers with 6 digits, more than
// screens and papers show.
func (p Point) MarshalJSON() ([]byte, error) {
	b := strconv.AppendFloat([]byte{'['}, p.X, 'g', 6, 64)
	b = strconv.AppendFloat(append(b, ','), p.Y, 'g', 6, 64)
	return append(b, ']'), nil // NaN is no JSON, which json.Marshal reports
}

// An Interval holds the bounds of a value, in units of the axis. Its JSON form is
// [low, high].
type Interval struct{ Low, High float64 }

// Between returns an interval, nil if it is undefined.
func Between(low, high float64) *Interval {
	if math.IsNaN(low) || math.IsNaN(high) {
		return nil
	}
	return &Interval{low, high}
}

// MarshalJSON encodes the interval as a list of two numbers.
func (i Interval) MarshalJSON() ([]byte, error) { return json.Marshal([2]float64{i.Low, i.High}) }

// A Curve is the line of one system, or its marks without a line.
type Curve struct {
	Name   string  `json:"name"`           // in the legend
	Note   string  `json:"note,omitempty"` // in the legend, after the name, such as "AUC 0.9876"
	System int     `json:"system"`         // index of the system among all systems of a run; selects the style
	Points []Point `json:"points"`
	Marks  bool    `json:"marks,omitempty"` // no line
	Mark   *int    `json:"-"`               // of all Marks, instead of the system's; not for pages
	Steps  bool    `json:"steps,omitempty"` // the line stays at a point's Y up to the X of the next; marks stand on points
	// Along holds the intervals of Y of each point, nil where there is none. It is nil as a
	// whole without intervals. Those along a line are a band.
	Along []*Interval `json:"along,omitempty"`
	Dot   *Point      `json:"dot,omitempty"` // a point of the curve to mark, such as an operating point
	// Marked, in the JSON form only, are the places of the marks on a line.
	Marked []Point `json:"marked,omitempty"`
}

// A Reference is a grey line to compare curves with, such as chance.
type Reference struct {
	Name   string  `json:"name"` // in the legend
	Points []Point `json:"points"`
}

// A Graph is a figure with curves.
type Graph struct {
	X          Axis        `json:"x"`
	Y          Axis        `json:"y"`
	Curves     []Curve     `json:"curves"`
	References []Reference `json:"references,omitempty"`
	Dots       string      `json:"dots,omitempty"` // what the dots mark, for the legend
}

// MarshalJSON adds what the axes print, and where lines have marks.
func (g *Graph) MarshalJSON() ([]byte, error) {
	type plain Graph
	out := plain(*g)
	intervals := slices.ContainsFunc(g.Curves, func(c Curve) bool {
		return slices.ContainsFunc(c.Along, func(i *Interval) bool { return i != nil })
	})
	out.X, out.Y = g.axes(true) // pages show bands when few curves are on
	out.Curves = slices.Clone(g.Curves)
	for i, c := range g.Curves {
		if !c.Marks {
			out.Curves[i].Marked = c.spread(out.X, out.Y)
		}
	}
	out.X, out.Y = out.X.printed(false, !g.X.fixed()), out.Y.printed(intervals, !g.Y.fixed())
	return json.Marshal(out)
}

// Kind returns "graph".
func (g *Graph) Kind() string { return "graph" }

// dataHeight is the height of a graph without legend, if it is not narrow.
const dataHeight = 63 * vg.Millimeter

// squareHeight is that of a wide graph of two rates.
const squareHeight = 100 * vg.Millimeter

func (g *Graph) height(width vg.Length) vg.Length {
	if width > squareHeight && g.X.rate() && g.Y.rate() {
		return squareHeight
	}
	return min(dataHeight, 0.85*width)
}

func (g *Graph) draw(data draw.Canvas) error {
	p, err := g.plot()
	if err != nil {
		return err
	}
	width := data.Max.X - data.Min.X
	if margin := (width - squareHeight) / 2; g.height(width) == squareHeight {
		data = draw.Crop(data, margin, -margin, 0, 0)
	}
	// Of ticks whose labels would touch, the later one has none.
	ticks, last, axis := p.X.Tick.Marker.(plot.ConstantTicks), -width, p.DataCanvas(data)
	width = axis.Max.X - axis.Min.X
	for i, t := range ticks {
		at, half := width*vg.Length(p.X.Norm(t.Value)), textStyle().Width(t.Label)/2
		if t.Label != "" && at-half < last+2 {
			ticks[i].Label = ""
		} else if t.Label != "" {
			last = at + half
		}
	}
	// A label of Y that is longer than the axis, below which is that of X, has two lines: plot
	// would shrink the axis.
	if text := &p.Y.Label.Text; textStyle().Width(*text) > data.Max.Y-data.Min.Y-3*rowHeight {
		half := strings.LastIndexByte((*text)[:len(*text)*2/3], ' ')
		if half < 0 {
			half = strings.IndexByte(*text, ' ')
		}
		if half >= 0 {
			*text = (*text)[:half] + "\n" + (*text)[half+1:]
		}
	}
	p.Draw(data)
	return nil
}

func (g *Graph) legend() legend {
	var l legend
	var names []string
	for _, c := range g.Curves {
		names = append(names, c.Name)
	}
	names = fit(names, Column/2-2*sampleWidth, textStyle()) // two of equal curves stand in one entry
	for i, c := range g.Curves {
		e, equal := entry{name: c.Name, mark: new(c.markStyle())}, ""
		if !c.Marks {
			e.line = new(lineStyle(c.System))
		}
		if same := slices.IndexFunc(g.Curves[:i], func(o Curve) bool { return len(c.Points) > 0 && slices.Equal(o.Points, c.Points) }); same >= 0 {
			e.name, equal = names[i], " = "+names[same]
		}
		if c.Note != "" {
			e.name += " (" + c.Note + ")"
		}
		e.name += equal
		l = append(l, e)
	}
	for _, r := range g.References {
		l = append(l, entry{name: r.Name, line: &referenceStyle})
	}
	if g.Dots != "" {
		l = append(l, entry{name: g.Dots, mark: new(dotStyle(grey))})
	}
	return l
}

// banded returns the curves that have bands, if they are few enough to draw them.
func (g *Graph) banded() (list []Curve) {
	for _, c := range g.Curves {
		if !c.Marks && c.Along != nil {
			list = append(list, c)
		}
	}
	if len(list) > MostBands {
		return nil
	}
	return list
}

// axes returns the axes with the ranges to draw, with bands or without.
func (g *Graph) axes(banded bool) (x, y Axis) {
	xMin, xMax, yMin, yMax := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, c := range g.Curves {
		for i, p := range c.Points {
			xMin, xMax, yMin, yMax = min(xMin, p.X), max(xMax, p.X), min(yMin, p.Y), max(yMax, p.Y)
			if v := intervalOf(c.Along, i); v != nil && (banded || c.Marks) {
				yMin, yMax = min(yMin, v.Low), max(yMax, v.High)
			}
		}
	}
	return g.X.over(xMin, xMax), g.Y.over(yMin, yMax)
}

func intervalOf(list []*Interval, i int) *Interval {
	if i < len(list) {
		return list[i]
	}
	return nil
}

func (g *Graph) plot() (*plot.Plot, error) {
	banded := g.banded()
	x, y := g.axes(banded != nil)
	p := newPlot(x, y)
	for _, r := range g.References {
		line, err := plotter.NewLine(xys(r.Points))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		line.LineStyle = referenceStyle
		p.Add(line)
	}
	for _, curve := range banded { // below all lines
		p.Add(curve.band())
	}
	for _, curve := range g.Curves {
		if err := addCurve(p, curve, x, y); err != nil {
			return nil, fmt.Errorf("%s: %w", curve.Name, err)
		}
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.Min, x.Max, y.Min, y.Max
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		if _, log := a.Scale.(logScale); log {
			a.Max *= 1 + 1e-9 // so that no value is the mean
		}
	}
	return p, nil
}

// xys returns points in the form that plotters take.
func xys(points []Point) plotter.XYs {
	out := make(plotter.XYs, len(points))
	for i, p := range points {
		out[i] = plotter.XY(p)
	}
	return out
}

func addCurve(p *plot.Plot, curve Curve, x, y Axis) error {
	if len(curve.Points) == 0 {
		return nil
	}
	style, marked := lineStyle(curve.System), curve.Points
	if curve.Marks {
		p.Add(curve.whiskers())
	} else {
		line, err := plotter.NewLine(xys(Thin(curve.line(), x, y, drawnSteps)))
		if err != nil {
			return err
		}
		line.LineStyle = style
		p.Add(line)
		marked = curve.spread(x, y)
	}
	p.Add(&plotter.Scatter{XYs: xys(marked), GlyphStyle: curve.markStyle()})
	if curve.Dot != nil {
		p.Add(&plotter.Scatter{XYs: xys([]Point{*curve.Dot}), GlyphStyle: dotStyle(style.Color)})
	}
	return nil
}

func (c Curve) markStyle() draw.GlyphStyle {
	style := markStyle(c.System)
	if c.Mark != nil {
		style.Shape = marks[*c.Mark]
	}
	return style
}

// band returns the plotter of the intervals along a line.
func (c Curve) band() *plotter.Polygon {
	var low, high plotter.XYs
	for i, at := range c.Points {
		if v := intervalOf(c.Along, i); v != nil {
			low, high = append(low, plotter.XY{X: at.X, Y: v.Low}), append(high, plotter.XY{X: at.X, Y: v.High})
		}
	}
	slices.Reverse(high)
	colour := colours[c.System%len(colours)]
	return &plotter.Polygon{XYs: []plotter.XYs{append(low, high...)}, Color: color.NRGBA{colour.R, colour.G, colour.B, 30}, LineStyle: draw.LineStyle{Color: white}} // no edge
}

// whiskers returns the plotter of the intervals of a curve's points. Their caps show the ends of
// one below another.
func (c Curve) whiskers() *plotter.YErrorBars {
	bars := &plotter.YErrorBars{CapWidth: 4, LineStyle: draw.LineStyle{Color: colours[c.System%len(colours)], Width: 0.6 * lineWidth}}
	for i, at := range c.Points {
		if v := intervalOf(c.Along, i); v != nil {
			bars.XYs = append(bars.XYs, plotter.XY(at))
			bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{at.Y - v.Low, v.High - at.Y})
		}
	}
	return bars
}

// line returns the points of the drawn line.
func (c Curve) line() []Point {
	if !c.Steps {
		return c.Points
	}
	var out []Point
	for i, p := range c.Points {
		if i > 0 {
			out = append(out, Point{p.X, c.Points[i-1].Y})
		}
		out = append(out, p)
	}
	return out
}

// marksPerCurve bounds the marks of a curve. Curves of fewer points have a mark
// at each.
const marksPerCurve = 12

// spread selects the points of a curve that get a mark. Marks are spread over the
// drawn length of the curve, at other positions for each system, so that marks of
// curves that coincide do not.
func (c Curve) spread(x, y Axis) []Point {
	points := c.Points
	if len(points) <= marksPerCurve {
		return points
	}
	drawn := make([]Point, len(points))
	for i, p := range points {
		drawn[i] = Point{x.place(p.X), y.place(p.Y)}
	}
	step := func(i int) float64 { return math.Hypot(drawn[i].X-drawn[i-1].X, drawn[i].Y-drawn[i-1].Y) }
	length := 0.0
	for i := 1; i < len(points); i++ {
		length += step(i)
	}
	const n = 6
	next := length / n * (0.2 + 0.6*math.Mod(float64(c.System)*0.618, 1)) // golden ratio: far apart for neighbouring systems
	var marked []Point
	at := 0.0
	for i := 1; i < len(points); i++ {
		before := at
		at += step(i)
		for ; at >= next && len(marked) < n; next += length / n {
			t := (next - before) / (at - before)
			if c.Steps {
				t = 1
			}
			marked = append(marked, Point{
				X: x.value(drawn[i-1].X + t*(drawn[i].X-drawn[i-1].X)),
				Y: y.value(drawn[i-1].Y + t*(drawn[i].Y-drawn[i-1].Y)),
			})
		}
	}
	return marked
}
