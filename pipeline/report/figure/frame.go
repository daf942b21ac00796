package figure

import (
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A frame lays out a figure: the title above, the legend outside of the data (on
// the right at page width, below at smaller widths), and the data.
type frame struct {
	title  string
	legend legend
	data   vg.Length // height of the data
}

func wide(width vg.Length) bool { return width >= Page }

func (f frame) height(width vg.Length) vg.Length {
	inner := width - 2*gap
	height := f.data + 2*gap + f.titleHeight(inner)
	switch {
	case len(f.legend) == 0:
	case wide(width):
		height = max(height, f.titleHeight(inner)+f.legend.height(1)+2*gap)
	default:
		height += gap + f.legend.height(f.legend.columns(inner))
	}
	return height
}

func (f frame) titleHeight(width vg.Length) vg.Length {
	if f.title == "" {
		return 0
	}
	return vg.Length(len(lines(f.title, width)))*rowHeight + gap
}

// draw draws title and legend and returns the canvas for the data.
func (f frame) draw(c draw.Canvas) draw.Canvas {
	inner := draw.Crop(c, gap, -gap, gap, -gap)
	width := inner.Max.X - inner.Min.X
	if f.title != "" {
		style := textStyle()
		style.XAlign, style.YAlign = draw.XCenter, draw.YTop
		for i, line := range lines(f.title, width) {
			inner.FillText(style, vg.Point{X: inner.Center().X, Y: inner.Max.Y - vg.Length(i)*rowHeight}, line)
		}
	}
	data := draw.Crop(inner, 0, 0, 0, -f.titleHeight(width))
	switch {
	case len(f.legend) == 0:
	case wide(c.Max.X - c.Min.X):
		at := data
		at.Min.X = at.Max.X - f.legend.width(width)
		f.legend.draw(at, 1)
		data.Max.X = at.Min.X - 2*gap
	default:
		columns := f.legend.columns(width)
		at := data
		at.Max.Y = at.Min.Y + f.legend.height(columns)
		f.legend.draw(at, columns)
		data.Min.Y = at.Max.Y + gap
	}
	return data
}

// lines breaks a text between words into lines of at most a width.
func lines(s string, width vg.Length) []string {
	style := textStyle()
	var out []string
	for _, word := range strings.Fields(s) {
		if n := len(out); n > 0 && style.Width(out[n-1]+" "+word) <= width {
			out[n-1] += " " + word
		} else {
			out = append(out, cut(word, 0.5, width, style))
		}
	}
	return out
}
