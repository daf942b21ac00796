package figure

import (
	"fmt"
	"html"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Point is a point of a curve, in units of the axes.
type Point struct{ X, Y float64 }

// An Interval holds the bounds of a value, in units of the axis.
type Interval struct{ Low, High float64 }

// Between returns an interval, nil if it is undefined.
func Between(low, high float64) *Interval {
	if math.IsNaN(low) || math.IsNaN(high) {
		return nil
	}
	return &Interval{low, high}
}

// A Curve is the line of one system, or its marks without a line.
type Curve struct {
	Name   string // in the legend
	Note   string // in the legend, after the name, such as "AUC 0.9876"
	System int    // index of the system among all systems of a run
	Look   Look
	Points []Point
	Marks  bool // no line
	// Along holds the intervals of Y of each point, nil where there is none. It is nil as a
	// whole without intervals. Those along a line are a band.
	Along []*Interval
	Dot   *Point // a point of the curve to mark, such as an operating point
}

// A Reference is a grey line to compare curves with, such as chance.
type Reference struct {
	Name   string // in the legend
	Points []Point
	Look   *Look // its dash and mark, of one of several; nil: dashed
}

func (r Reference) line() *draw.LineStyle {
	if r.Look == nil {
		return &referenceStyle
	}
	return &draw.LineStyle{Color: grey, Width: referenceStyle.Width, Dashes: r.Look.line().Dashes}
}

// A Graph is a figure with curves.
type Graph struct {
	X          Axis
	Y          Axis
	Curves     []Curve
	References []Reference
	Dots       string // what the dots mark, for the legend
}

// dataHeight is the height of a graph without legend, if it is not narrow.
const dataHeight = 63 * vg.Millimeter

// squareHeight is that of a wide graph of two rates.
const squareHeight = 100 * vg.Millimeter

func (g *Graph) height(width vg.Length) vg.Length {
	if n := len(g.Y.Names); n > 0 {
		return 0.9*rowHeight*vg.Length(n) + 2*rowHeight + 8
	}
	if width > squareHeight && g.X.rate() && g.Y.rate() {
		return squareHeight
	}
	return min(dataHeight, 0.85*width)
}

func (g *Graph) draw(data draw.Canvas) {
	banded := g.banded(onPage(data))
	x, y := g.axes(banded)
	p := newPlot(x, y)
	p.Add(curves{g, x, y, banded})
	width := data.Max.X - data.Min.X
	if margin := (width - squareHeight) / 2; g.height(width) == squareHeight {
		data = draw.Crop(data, margin, -margin, 0, 0)
	}
	drawLabelled(p, x.title(), data, draw.Crop(data, 0, 0, rowHeight, 0))
}

func (g *Graph) legend() legend {
	var l legend
	for _, c := range g.Curves {
		e := entry{name: c.Name, mark: new(c.Look.mark()), system: true}
		if !c.Marks {
			e.line = new(c.Look.line())
		}
		if c.Note != "" {
			e.name += " (" + c.Note + ")"
		}
		l = append(l, e)
	}
	for _, r := range g.References {
		e := entry{name: r.Name, line: r.line()}
		if r.Look != nil {
			e.mark = new(r.Look.mark())
		}
		l = append(l, e)
	}
	if g.Dots != "" {
		l = append(l, entry{name: g.Dots, mark: new(dotStyle(grey))})
	}
	return l
}

// banded reports whether curves have bands that are drawn: on pages, whose script shows those of
// few, any; else those of at most MostBands curves.
func (g *Graph) banded(page bool) bool {
	n := 0
	for _, c := range g.Curves {
		if !c.Marks && c.Along != nil {
			n++
		}
	}
	return n > 0 && (page || n <= MostBands)
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
	for _, r := range g.References { // across the graph
		for _, p := range r.Points {
			yMin, yMax = min(yMin, p.Y), max(yMax, p.Y)
		}
	}
	return g.X.over(xMin, xMax), g.Y.over(yMin, yMax)
}

// ShareY gives graphs that stand side by side, on a page or elsewhere, the same range of Y.
func ShareY(graphs []*Graph, page bool) {
	all := *graphs[0]
	for _, g := range graphs[1:] {
		all.Curves = slices.Concat(all.Curves, g.Curves)
		all.References = slices.Concat(all.References, g.References)
	}
	_, y := all.axes(slices.ContainsFunc(graphs, func(g *Graph) bool { return g.banded(page) }))
	for _, g := range graphs {
		g.Y.Min, g.Y.Max = y.Min, y.Max
	}
}

func intervalOf(list []*Interval, i int) *Interval {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// curves draws the references and curves of a graph.
type curves struct {
	*Graph
	x, y   Axis // with ranges
	banded bool
}

// GlyphBoxes implements plot.GlyphBoxer: marks have room at the edges.
func (g curves) GlyphBoxes(p *plot.Plot) (boxes []plot.GlyphBox) {
	const r = markRadius
	for _, c := range g.Curves {
		for _, at := range c.marked(g.x, g.y) {
			boxes = append(boxes, plot.GlyphBox{X: p.X.Norm(at.X), Y: p.Y.Norm(at.Y), Rectangle: vg.Rectangle{Min: vg.Point{X: -r, Y: -r}, Max: vg.Point{X: r, Y: r}}})
		}
	}
	return boxes
}

// Plot implements plot.Plotter.
func (g curves) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	at := func(points ...Point) (places []vg.Point) {
		for _, p := range points {
			places = append(places, vg.Point{X: toX(p.X), Y: toY(p.Y)})
		}
		return places
	}
	for _, r := range g.References {
		c.StrokeLines(*r.line(), c.ClipLinesXY(at(r.Points...))...)
		if r.Look != nil {
			style := r.Look.mark()
			style.Shape.(Mark).drawAt(&c, style, at(r.Points...)...)
		}
	}
	for _, curve := range g.Curves { // bands are below all lines
		if g.banded && !curve.Marks && curve.Along != nil {
			end := group(c, []int{curve.System}, ` class="band"`)
			colour := curve.Look.colour()
			c.FillPolygon(color.NRGBA{colour.R, colour.G, colour.B, 30}, c.ClipPolygonXY(at(curve.band()...)))
			end()
		}
	}
	for _, curve := range g.Curves {
		end := group(c, []int{curve.System}, g.values(c, curve, at))
		if !curve.Marks {
			c.StrokeLines(curve.Look.line(), c.ClipLinesXY(at(thin(curve.Points, g.x, g.y)...))...)
		}
		for i, point := range curve.Points {
			if v := intervalOf(curve.Along, i); v != nil && curve.Marks {
				whisker := at(Point{point.X, v.Low}, Point{point.X, v.High})
				style := draw.LineStyle{Color: curve.Look.colour(), Width: 0.6 * lineWidth}
				c.StrokeLine2(style, whisker[0].X, whisker[0].Y, whisker[1].X, whisker[1].Y)
				for _, end := range whisker { // caps show the ends of one below another
					c.StrokeLine2(style, end.X-2, end.Y, end.X+2, end.Y)
				}
			}
		}
		inside := slices.DeleteFunc(at(curve.marked(g.x, g.y)...), func(p vg.Point) bool { return !c.Contains(p) })
		style := curve.Look.mark()
		style.Shape.(Mark).drawAt(&c, style, inside...)
		if curve.Dot != nil {
			c.DrawGlyph(dotStyle(curve.Look.colour()), at(*curve.Dot)[0])
		}
		end()
	}
}

// valuesPerCurve is about the most values of a line that a page shows.
const valuesPerCurve = 20

// values returns, for the script of a page, "x y;text of X;text of Y|" for points of a curve.
func (g curves) values(c draw.Canvas, curve Curve, at func(...Point) []vg.Point) string {
	if !onPage(c) {
		return ""
	}
	intervals := slices.ContainsFunc(g.Curves, func(c Curve) bool { return c.Along != nil })
	var values []string
	for i, p := range curve.Points {
		if !curve.Marks && i%(len(curve.Points)/valuesPerCurve+1) > 0 {
			continue
		}
		place := at(p)[0]
		values = append(values, fmt.Sprintf("%s %s;%s;%s", inSVG(place.X), inSVG(-place.Y), g.x.text(p.X, nil, false), g.y.text(p.Y, intervalOf(curve.Along, i), intervals)))
	}
	return fmt.Sprintf(` data-note="%s" data-values="%s"`, html.EscapeString(curve.Note), strings.Join(values, "|"))
}

// band returns the outline of the intervals along a line.
func (c Curve) band() (outline []Point) {
	var high []Point
	for i, at := range c.Points {
		if v := intervalOf(c.Along, i); v != nil {
			outline, high = append(outline, Point{at.X, v.Low}), append(high, Point{at.X, v.High})
		}
	}
	slices.Reverse(high)
	return append(outline, high...)
}

// steps is the number of positions that the line of a curve distinguishes along an axis: half a point in a
// figure of the width of a column.
const steps = 500

// thin removes points of a curve that are less than a step away from the one kept before, on axes with
// ranges. It keeps the first and the last point.
func thin(points []Point, x, y Axis) (kept []Point) {
	for i, p := range points {
		if i > 0 && i < len(points)-1 {
			before := kept[len(kept)-1]
			if math.Hypot(x.place(p.X)-x.place(before.X), y.place(p.Y)-y.place(before.Y)) < 1./steps {
				continue
			}
		}
		kept = append(kept, p)
	}
	return kept
}

// marksPerCurve bounds the marks of a curve. Curves of fewer points have a mark
// at each.
const marksPerCurve = 12

// marked returns the points of a curve that get a mark. Along a line of many, marks are spread over
// its drawn length, at other places for each system, so that marks of curves that
// coincide do not.
func (c Curve) marked(x, y Axis) (marked []Point) {
	points := c.Points
	if c.Marks || len(points) <= marksPerCurve {
		return points
	}
	lengths := make([]float64, len(points)) // of the line up to each point
	for i := 1; i < len(points); i++ {
		before, at := points[i-1], points[i]
		lengths[i] = lengths[i-1] + math.Hypot(x.place(at.X)-x.place(before.X), y.place(at.Y)-y.place(before.Y))
	}
	const n = 6
	first := 0.2 + 0.6*math.Mod(float64(c.System)*0.618, 1) // golden ratio: far apart for neighbouring systems
	for k := range n {
		length := lengths[len(points)-1] / n * (first + float64(k))
		i, _ := slices.BinarySearch(lengths, length)
		marked = append(marked, points[min(i, len(points)-1)])
	}
	return marked
}
