package figure

import (
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A frame lays out a figure: the title above, the data, and the legend below.
type frame struct {
	title  string
	legend legend
	data   vg.Length // height of the data
}

func (f frame) height(width vg.Length) vg.Length {
	inner := width - 2*gap
	height := f.data + 2*gap + f.titleHeight(inner)
	if len(f.legend) > 0 {
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
	if len(f.legend) > 0 {
		columns := f.legend.columns(width)
		at := data
		at.Max.Y = at.Min.Y + f.legend.height(columns)
		f.legend.draw(at, columns)
		data.Min.Y = at.Max.Y + gap
	}
	return data
}

// lines breaks the lines of a text between words into lines of at most a width.
func lines(s string, width vg.Length) (out []string) {
	style := textStyle()
	for line := range strings.Lines(s) {
		for i, word := range strings.Fields(line) {
			if n := len(out); i > 0 && style.Width(out[n-1]+" "+word) <= width {
				out[n-1] += " " + word
			} else {
				out = append(out, cut(word, 0.5, width, style))
			}
		}
	}
	return out
}
