// Package figure draws figures for papers and reports in one style: legible at
// the width of a column, distinguishable without colour, with the same look for
// the same descriptor in every figure, and with equal bytes for equal data.
//
// The kinds of figures are plain data. Undefined numbers never occur in it: what is undefined
// is left out or nil. Pages embed the SVG that papers get.
package figure

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"

	"descbench/pipeline/store"
)

// The widths of figures: a column and a page of two columns in common paper
// formats.
const (
	Column = 84 * vg.Millimeter
	Page   = 174 * vg.Millimeter
)

const dotsPerInch = 300 // of PNG

// A Figure is a figure as data, of one of the kinds of this package. A title is part of the caption.
type Figure interface {
	// legend returns what stands below the data.
	legend() legend
	// height returns the height of the data at a width.
	height(width vg.Length) vg.Length
	// draw draws the data on a canvas of that size.
	draw(c draw.Canvas)
}

// formats maps file extensions to the canvases of the formats.
var formats = map[string]func(width, height vg.Length) vg.CanvasWriterTo{
	".svg": func(w, h vg.Length) vg.CanvasWriterTo { return newSVG(w, h) }, // names fonts and does not contain them
	".png": func(w, h vg.Length) vg.CanvasWriterTo {
		return &lettered{CanvasWriterTo: vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dotsPerInch))}}
	},
	".pdf": func(w, h vg.Length) vg.CanvasWriterTo {
		withoutDates()
		return &lettered{CanvasWriterTo: pdfCanvas{vgpdf.New(w, h)}}
	},
}

// withoutDates keeps the creation date out of PDF files.
var withoutDates = sync.OnceFunc(func() {
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultCatalogSort(true)
})

func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }

// Check returns an error if the extension of a file is not that of a format.
func Check(path string) error {
	if formats[extension(path)] == nil {
		return fmt.Errorf("figure %s: want a name that ends in .svg, .png or .pdf", path)
	}
	return nil
}

// Write writes a figure at a width, Column or Page. The extension of the path
// selects the format.
func Write(path string, d Figure, width vg.Length) error {
	if err := Check(path); err != nil {
		return err
	}
	b, err := render(extension(path), d, width)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return store.WriteOwn(path, marked(extension(path), b), mark)
}

// Replaceable returns an error if a file exists that is not a picture of this package.
func Replaceable(path string) error { return store.Replaceable(path, nil, mark) }

// WritePNG writes a picture.
func WritePNG(path string, picture image.Image) error {
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		return fmt.Errorf("%s: encode PNG: %w", path, err)
	}
	return store.WriteOwn(path, marked(".png", b.Bytes()), mark)
}

// mark is in all pictures that are written, so that they replace no others.
const mark = "written by descbench"

// marked adds the mark: as a comment at the end, in PNG as a text chunk after the header.
func marked(format string, b []byte) []byte {
	switch format {
	case ".svg":
		return append(b, "<!-- "+mark+" -->\n"...)
	case ".pdf":
		return append(b, "% "+mark+"\n"...)
	}
	const header = 33                             // bytes: the signature, 8, and the chunk IHDR, 12 + 13
	text := []byte("tEXt" + "Comment\x00" + mark) // PNG, 3rd edition, sections 5.3 and 11.3.3.2
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(text)-4)), text...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(text))
	return slices.Concat(b[:header], chunk, b[header:])
}

// layout returns the heights of the data of a figure, and of a legend with the gap above it.
func layout(d Figure, l legend, width vg.Length) (data, below vg.Length) {
	if len(l) > 0 {
		below = gap + l.height(width-2*gap)
	}
	return d.height(width - 2*gap), below
}

// paint draws a figure with a legend on a canvas of a width and the height that they need.
func paint[C vg.CanvasWriterTo](d Figure, l legend, width vg.Length, on func(width, height vg.Length) C) C {
	data, below := layout(d, l, width)
	canvas := on(width, gap+data+below+gap)
	c := draw.New(canvas)
	if !onPage(c) {
		c.SetColor(white)
		c.Fill(c.Path())
	}
	c = draw.Crop(c, gap, -gap, gap, -gap)
	l.draw(draw.Crop(c, 0, 0, 0, -data-gap))
	d.draw(draw.Crop(c, 0, 0, below, 0))
	return canvas
}

func render(format string, d Figure, width vg.Length) ([]byte, error) {
	canvas := paint(d, d.legend(), width, formats[format])
	if l, is := canvas.(*lettered); is && l.lacks != "" {
		return nil, fmt.Errorf("the text %q has %q, which the font of figures lacks; write .svg, which viewers draw with their own fonts, or rename it", l.text, l.lacks)
	}
	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	return b.Bytes(), err
}
