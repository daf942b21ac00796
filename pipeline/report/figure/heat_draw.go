package figure

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	highestMap   = 200 * vg.Millimeter // of all rows; more rows are drawn lower
	headerHeight = 40 * vg.Millimeter  // at most, for names of columns
	scaleHeight  = 7 * vg.Length(1)    // of the colour scale
	smallestFont = 5.5                 // of values in cells, points
	mostValues   = 600                 // cells with their values as text
)

// A heatLayout holds the sizes of a heat map.
type heatLayout struct {
	names  vg.Length // width of the names of rows
	header vg.Length // height of the names of columns
	tall   bool      // names of columns run upwards
	cell   vg.Point
	apart  vg.Length // between means and other rows
}

func (h *Heat) layout(width vg.Length) heatLayout {
	var l heatLayout
	inner := width - 2*gap
	style := textStyle()
	for _, name := range h.Rows {
		l.names = max(l.names, style.Width(name))
	}
	l.names = min(l.names, nameShare*inner)
	l.cell.X = (inner - l.names - gap) / vg.Length(max(len(h.Columns), 1))
	longest := vg.Length(0)
	for _, name := range h.Columns {
		longest = max(longest, style.Width(name))
	}
	if l.header = rowHeight; longest > l.cell.X-gap/2 {
		l.tall, l.header = true, min(longest+gap/2, headerHeight)
	}
	l.cell.Y = min(barRow, highestMap/vg.Length(max(len(h.Rows), 1)))
	if h.Means > 0 && h.Means < len(h.Rows) {
		l.apart = gap
	}
	return l
}

func (h *Heat) frame(width vg.Length) frame {
	l := h.layout(width)
	scale := gap + scaleHeight + 2 + 2*rowHeight
	if h.Mark != "" {
		scale += rowHeight
	}
	return frame{data: l.header + l.cell.Y*vg.Length(len(h.Rows)) + l.apart + scale}
}

func (h *Heat) height(width vg.Length) vg.Length { return h.frame(width).height(width) }

func (h *Heat) draw(c draw.Canvas) error {
	width := c.Max.X - c.Min.X
	l := h.layout(width)
	data := h.frame(width).draw(c)
	cells := vg.Rectangle{Min: vg.Point{X: data.Min.X + l.names + gap}, Max: vg.Point{X: data.Max.X, Y: data.Max.Y - l.header}}
	h.drawHeader(data, cells, l)
	scale := h.scale()
	text := h.valueText(l)
	bottom := cells.Max.Y
	style := textStyle()
	style.Font.Size = min(style.Font.Size, 0.95*l.cell.Y)
	style.XAlign, style.YAlign = draw.XRight, draw.YCenter
	for i, name := range fit(h.Rows, l.names, style) {
		if i == h.Means {
			bottom -= l.apart
		}
		bottom -= l.cell.Y
		data.FillText(style, vg.Point{X: cells.Min.X - gap, Y: bottom + l.cell.Y/2}, name)
		for j := range h.Columns {
			at := vg.Rectangle{Min: vg.Point{X: cells.Min.X + vg.Length(j)*l.cell.X, Y: bottom}}
			at.Max = at.Min.Add(l.cell)
			h.drawCell(data, at, h.Cells[i][j], scale, text)
		}
	}
	h.drawScale(data, cells, bottom-gap, scale)
	return nil
}

func (h *Heat) drawHeader(c draw.Canvas, cells vg.Rectangle, l heatLayout) {
	style := textStyle()
	style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
	room := l.cell.X
	if l.tall {
		style.XAlign, style.YAlign, style.Rotation = draw.XLeft, draw.YCenter, math.Pi/2
		room = l.header - gap/2
	}
	level := textStyle() // measures text without rotation
	for j, name := range fit(h.Columns, room, level) {
		c.FillText(style, vg.Point{X: cells.Min.X + (vg.Length(j)+0.5)*l.cell.X, Y: cells.Max.Y + gap/2}, name)
	}
}

// scale returns the axis of the values with its range: symmetric about zero if
// colours diverge.
func (h *Heat) scale() Axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range h.Cells {
		for _, c := range row {
			if c != nil {
				low, high = min(low, c.Value), max(high, c.Value)
			}
		}
	}
	a := h.Scale
	switch {
	case !(low <= high):
		a.Min, a.Max = 0, 1
	case h.Diverging:
		r := max(-low, high, 1e-6)
		a.Min, a.Max = -r, r
	case low == high:
		a.Min, a.Max = low-0.01, high+0.01
	default:
		a.Min, a.Max = low, high
	}
	return a
}

func (h *Heat) colour(v float64, scale Axis) color.RGBA {
	if h.Diverging {
		return between(diverging, scale.place(v))
	}
	return between(sequential, scale.place(v))
}

// A cellText formats the values of cells, where there is room for them.
type cellText struct {
	style    text.Style
	decimals int
	shown    bool
}

// valueText returns how values are written so that they fit into all cells: with one
// decimal, if need be in a smaller font, or with none.
func (h *Heat) valueText(l heatLayout) cellText {
	t := cellText{style: textStyle()}
	largest := min(0.9*fontSize, 0.75*l.cell.Y)
	t.style.Font.Size = largest
	if len(h.Rows)*len(h.Columns) > mostValues {
		return t
	}
	for t.decimals = 1; t.decimals >= 0; t.decimals-- {
		t.style.Font.Size = largest
		if width := h.widest(t); width > l.cell.X-2 {
			t.style.Font.Size *= (l.cell.X - 2) / width
		}
		if t.style.Font.Size >= smallestFont {
			t.shown = true
			return t
		}
	}
	return t
}

// widest returns the width of the widest value.
func (h *Heat) widest(t cellText) (width vg.Length) {
	for _, row := range h.Cells {
		for _, c := range row {
			if c != nil {
				width = max(width, t.style.Width(h.text(c, t.decimals)))
			}
		}
	}
	return width
}

func (h *Heat) text(c *Cell, decimals int) string {
	v := c.Value
	if h.Scale.Percent {
		v *= 100
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	switch {
	case strings.Trim(s, "-0.") == "":
		return strings.TrimPrefix(s, "-")
	case h.Diverging && v > 0:
		return "+" + s
	}
	return minus(s)
}

func (h *Heat) drawCell(c draw.Canvas, at vg.Rectangle, cell *Cell, scale Axis, t cellText) {
	if cell == nil {
		style := t.style
		style.Color, style.XAlign, style.YAlign = grey, draw.XCenter, draw.YCenter
		c.FillText(style, middle(at), "–")
		return
	}
	fill := h.colour(cell.Value, scale)
	c.FillPolygon(fill, corners(at, 0))
	if cell.Marked {
		outline := append(corners(at, 0.6), corners(at, 0.6)[0])
		c.StrokeLines(draw.LineStyle{Color: black, Width: 1}, outline)
	}
	if t.shown {
		style := t.style
		style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
		style.Color = readableOn(fill)
		c.FillText(style, middle(at), h.text(cell, t.decimals))
	}
}

func middle(r vg.Rectangle) vg.Point {
	return vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
}

func corners(r vg.Rectangle, inset vg.Length) []vg.Point {
	r.Min.X, r.Min.Y, r.Max.X, r.Max.Y = r.Min.X+inset, r.Min.Y+inset, r.Max.X-inset, r.Max.Y-inset
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

// readableOn returns black or white, whichever has more contrast to a colour.
//
// Source: relative luminance and contrast ratio of WCAG 2.1.
func readableOn(c color.RGBA) color.Color {
	linear := func(v uint8) float64 { return math.Pow(float64(v)/255, 2.2) }
	l := 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	if (l+0.05)*(l+0.05) > 1.05*0.05 {
		return black
	}
	return white
}

// drawScale draws the colour scale below the cells, with ticks and label, and the
// meaning of marks.
func (h *Heat) drawScale(c draw.Canvas, cells vg.Rectangle, top vg.Length, scale Axis) {
	const steps = 64
	width := cells.Max.X - cells.Min.X
	x := func(place float64) vg.Length { return cells.Min.X + vg.Length(place)*width }
	bottom := top - scaleHeight
	for i := range steps {
		at := vg.Rectangle{Min: vg.Point{X: x(float64(i) / steps), Y: bottom}, Max: vg.Point{X: x(1), Y: top}} // overlapping: no seams
		c.FillPolygon(h.colour(scale.value((float64(i)+0.5)/steps), scale), corners(at, 0))
	}
	style := textStyle()
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	for _, tick := range scale.ticks(scale.Min, scale.Max) {
		at := x(scale.place(tick.Value))
		c.StrokeLine2(draw.LineStyle{Color: black, Width: thinWidth}, at, bottom, at, bottom-2)
		c.FillText(style, vg.Point{X: at, Y: bottom - 2}, tick.Label)
	}
	c.FillText(style, vg.Point{X: x(0.5), Y: bottom - 2 - rowHeight}, h.Scale.Label)
	if h.Mark != "" {
		c.FillText(style, vg.Point{X: x(0.5), Y: bottom - 2 - 2*rowHeight}, "outlined: "+h.Mark)
	}
}
