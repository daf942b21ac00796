package figure

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An svgCanvas writes SVG with a group for what belongs to each system, which those of
// gonum cannot. Y points downwards from the lower edge, as texts need it.
type svgCanvas struct {
	bytes.Buffer
	width, height vg.Length
	page          bool // part of a page, which has the legend of systems and shows values
	states        []svgState
}

// An svgState is what Push keeps and Pop restores.
type svgState struct {
	colour color.Color
	width  vg.Length // of lines
	dashes []vg.Length
	groups int // to end
}

// fallbackFonts are the font in which text was laid out, which SVG files do not contain,
// others of the same widths, and then any, whose texts are drawn in these widths.
const fallbackFonts = "'Liberation Sans',Arial,Helvetica,sans-serif"

func newSVG(width, height vg.Length) *svgCanvas {
	return &svgCanvas{width: width, height: height, states: []svgState{{color.Black, 1, nil, 0}}}
}

// Embed returns a figure as an element of a page, with the values of systems for its script, as
// wide as its place: the figure of papers without the legend of systems and the background. label
// describes it to those who cannot see it.
func Embed(d Figure, label string) template.HTML {
	l := d.legend()
	var kept legend
	for _, e := range l {
		if !e.system {
			kept = append(kept, e)
		}
	}
	c := paint(d, kept, Column, func(w, h vg.Length) *svgCanvas {
		c := newSVG(w, h)
		c.page = true
		return c
	})
	attributes := fmt.Sprintf(` role="img" aria-label="%s"`, html.EscapeString(label))
	switch of := d.(type) {
	case *Graph:
		attributes += fmt.Sprintf(` data-labels="%s;%s"`, html.EscapeString(of.X.Label), html.EscapeString(of.Y.Label))
	case *Bars:
		attributes += fmt.Sprintf(` data-labels="%s" data-row="%s"`, html.EscapeString(of.X.Label), inSVG(barRow))
	}
	return template.HTML(c.element(attributes))
}

// Sample returns the line and the mark of a look as an element of a page.
func Sample(l Look) template.HTML {
	c := newSVG(sampleWidth, 8)
	e := entry{line: new(l.line()), mark: new(l.mark())}
	e.sample(draw.New(c), vg.Point{Y: 4})
	return template.HTML(c.element(` aria-hidden="true"`))
}

// element returns the svg element with further attributes.
func (c *svgCanvas) element(attributes string) string {
	w, h := inSVG(c.width), inSVG(c.height)
	return fmt.Sprintf(`<svg class="drawn" viewBox="0 -%s %s %s" font-family="%s"%s>%s</svg>`, h, w, h, fallbackFonts, attributes, c.Bytes())
}

// WriteTo implements io.WriterTo.
func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	const namespaces = ` width="%spt" height="%spt" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"`
	n, err := fmt.Fprintf(w, "<?xml version=\"1.0\"?>\n%s\n", c.element(fmt.Sprintf(namespaces, inSVG(c.width), inSVG(c.height))))
	return int64(n), err
}

// svgOf returns the SVG below parts of a canvas, nil if it is another.
func svgOf(c vg.Canvas) *svgCanvas {
	if part, is := c.(draw.Canvas); is {
		return svgOf(part.Canvas)
	}
	svg, _ := c.(*svgCanvas)
	return svg
}

// onPage reports whether a canvas is part of a page.
func onPage(c draw.Canvas) bool {
	svg := svgOf(c)
	return svg != nil && svg.page
}

// group begins what belongs to systems and has further attributes; the function ends it.
// Canvases other than those of SVG have no groups.
func group(c draw.Canvas, systems []int, attributes string) (end func()) {
	svg := svgOf(c)
	if svg == nil {
		return func() {}
	}
	var numbers []string
	for _, i := range systems {
		numbers = append(numbers, strconv.Itoa(i))
	}
	fmt.Fprintf(svg, `<g data-system="%s"%s>`, strings.Join(numbers, " "), attributes)
	return func() { svg.WriteString("</g>\n") }
}

// inSVG formats a length in points.
func inSVG(l vg.Length) string {
	return strconv.FormatFloat(math.Round(100*l.Points())/100+0, 'f', -1, 64)
}

// at formats a place.
func at(p vg.Point) string { return inSVG(p.X) + " " + inSVG(-p.Y) }

// painted formats the colour of fill or stroke.
func painted(what string, colour color.Color) string {
	c := color.NRGBAModel.Convert(colour).(color.NRGBA)
	out := fmt.Sprintf(` %s="#%02X%02X%02X"`, what, c.R, c.G, c.B)
	if c.A < 255 {
		out += fmt.Sprintf(` %s-opacity="%.3g"`, what, float64(c.A)/255)
	}
	return out
}

func (c *svgCanvas) state() *svgState { return &c.states[len(c.states)-1] }

// Size and the methods below implement vg.Canvas.
func (c *svgCanvas) Size() (width, height vg.Length)        { return c.width, c.height }
func (c *svgCanvas) SetLineWidth(w vg.Length)               { c.state().width = w }
func (c *svgCanvas) SetLineDash(d []vg.Length, _ vg.Length) { c.state().dashes = d }
func (c *svgCanvas) SetColor(colour color.Color)            { c.state().colour = colour }
func (c *svgCanvas) Rotate(radians float64)                 { c.turn(`rotate(%.5g)`, -radians*180/math.Pi) }
func (c *svgCanvas) Translate(p vg.Point)                   { c.turn(`translate(%s)`, at(p)) }
func (c *svgCanvas) Scale(x, y float64)                     { c.turn(`scale(%.5g %.5g)`, x, y) }

func (c *svgCanvas) turn(format string, values ...any) {
	fmt.Fprintf(c, `<g transform="`+format+`">`, values...)
	c.state().groups++
}

// Push implements vg.Canvas.
func (c *svgCanvas) Push() {
	c.states = append(c.states, *c.state())
	c.state().groups = 0
}

// Pop implements vg.Canvas.
func (c *svgCanvas) Pop() {
	c.WriteString(strings.Repeat("</g>", c.state().groups))
	c.states = c.states[:len(c.states)-1]
}

// Stroke implements vg.Canvas.
func (c *svgCanvas) Stroke(path vg.Path) {
	s := c.state()
	if s.width <= 0 {
		return
	}
	fmt.Fprintf(c, `<path d="%s" fill="none"%s stroke-width="%s"`, outline(path), painted("stroke", s.colour), inSVG(s.width))
	if len(s.dashes) > 0 {
		var lengths []string
		for _, l := range s.dashes {
			lengths = append(lengths, inSVG(l))
		}
		fmt.Fprintf(c, ` stroke-dasharray="%s"`, strings.Join(lengths, " "))
	}
	c.WriteString("/>\n")
}

// Fill implements vg.Canvas.
func (c *svgCanvas) Fill(path vg.Path) {
	fmt.Fprintf(c, "<path d=\"%s\"%s/>\n", outline(path), painted("fill", c.state().colour))
}

// outline returns the commands of a path. An arc is drawn in two halves, since SVG has no
// whole circles.
func outline(path vg.Path) string {
	var b strings.Builder
	var last string
	for _, part := range path {
		switch part.Type {
		case vg.MoveComp:
			last = at(part.Pos)
			b.WriteString("M" + last)
		case vg.LineComp:
			b.WriteString("L" + at(part.Pos))
		case vg.CurveComp:
			b.WriteString([]string{"L", "Q", "C"}[len(part.Control)])
			for _, p := range part.Control {
				b.WriteString(at(p) + " ")
			}
			b.WriteString(at(part.Pos))
		case vg.ArcComp:
			on := func(angle float64) string {
				sin, cos := math.Sincos(angle)
				return at(part.Pos.Add(vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}.Scale(part.Radius)))
			}
			if from := on(part.Start); from != last {
				b.WriteString("L" + from)
			}
			sweep := 1
			if part.Angle > 0 { // against the clock
				sweep = 0
			}
			for _, share := range []float64{0.5, 1} {
				fmt.Fprintf(&b, "A%s %[1]s 0 0 %d %s", inSVG(part.Radius), sweep, on(part.Start+share*part.Angle))
			}
		case vg.CloseComp:
			b.WriteString("Z")
		}
	}
	return b.String()
}

// FillString implements vg.Canvas.
func (c *svgCanvas) FillString(f font.Face, p vg.Point, text string) {
	fmt.Fprintf(c, "<text x=\"%s\" y=\"%s\" font-size=\"%s\" textLength=\"%s\" lengthAdjust=\"spacingAndGlyphs\"%s>%s</text>\n",
		inSVG(p.X), inSVG(-p.Y), inSVG(f.Font.Size), inSVG(f.Width(text)), painted("fill", c.state().colour), html.EscapeString(text))
}

// DrawImage implements vg.Canvas.
func (c *svgCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // of an image without pixels
	}
	fmt.Fprintf(c, "<image x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64,%s\"/>\n",
		inSVG(r.Min.X), inSVG(-r.Max.Y), inSVG(r.Size().X), inSVG(r.Size().Y), base64.StdEncoding.EncodeToString(b.Bytes()))
}
