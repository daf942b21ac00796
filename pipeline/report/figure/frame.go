package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A frame lays out a figure: the data, and the legend below. A title is part of the caption.
type frame struct {
	legend legend
	data   vg.Length // height of the data
}

func (f frame) height(width vg.Length) vg.Length {
	inner := width - 2*gap
	height := f.data + 2*gap
	if len(f.legend) > 0 {
		height += gap + f.legend.height(f.legend.columns(inner))
	}
	return height
}

// draw draws the legend and returns the canvas for the data.
func (f frame) draw(c draw.Canvas) draw.Canvas {
	data := draw.Crop(c, gap, -gap, gap, -gap)
	if len(f.legend) > 0 {
		columns := f.legend.columns(data.Max.X - data.Min.X)
		at := data
		at.Max.Y = at.Min.Y + f.legend.height(columns)
		f.legend.draw(at, columns)
		data.Min.Y = at.Max.Y + gap
	}
	return data
}
