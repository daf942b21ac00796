package figure

import (
	"bytes"
	"image/color"
	"strings"
	"sync"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// A pdfCanvas embeds the letters that most figures have, in the encoding of the fonts of
// vgpdf, and draws the outlines of text with others, such as Greek and Cyrillic. The
// whole font would be most of a file.
type pdfCanvas struct{ *vgpdf.Canvas }

// FillString implements vg.Canvas.
func (c pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	text = strings.ReplaceAll(text, "−", "–") // which looks the same, and is in the encoding
	encoded, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil || strings.Trim(text, letters) != "" {
		c.Fill(outlines(f, at, text))
		return
	}
	f.Face = lettersOnly()
	c.Canvas.FillString(f, at, encoded)
}

// SetColor implements vg.Canvas. PDF does not multiply colours by their opacity, which
// vgpdf passes on as they are.
func (c pdfCanvas) SetColor(of color.Color) {
	c.Canvas.SetColor(straight(color.NRGBAModel.Convert(of).(color.NRGBA)))
}

type straight color.NRGBA

// RGBA returns the colour without multiplying it by its opacity.
func (c straight) RGBA() (r, g, b, a uint32) {
	return uint32(c.R) * 0x101, uint32(c.G) * 0x101, uint32(c.B) * 0x101, uint32(c.A) * 0x101
}

// letters are the characters of the font in PDF files.
const letters = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~±²µ·×äéöü–…"

// lettersOnly returns the font of all text with the letters only.
var lettersOnly = sync.OnceValue(func() *opentype.Font {
	var whole bytes.Buffer
	if _, err := font.DefaultCache.Lookup(textStyle().Font, fontSize).Face.WriteSourceTo(nil, &whole); err != nil {
		panic(err) // the font is part of the program
	}
	f, err := opentype.Parse(fpdf.UTF8CutFont(whole.Bytes(), letters))
	if err != nil {
		panic(err)
	}
	return f
})

// outlines returns the outlines of a text whose baseline starts at a point.
func outlines(f font.Face, at vg.Point, text string) vg.Path {
	var path vg.Path
	var buffer sfnt.Buffer
	em := fixed.Int26_6(f.Face.UnitsPerEm())
	scale := f.Font.Size / vg.Length(em)
	for i, r := range text {
		start := vg.Point{X: at.X + f.Width(text[:i]), Y: at.Y}
		place := func(p fixed.Point26_6) vg.Point { // y of fonts points down
			return vg.Point{X: start.X + vg.Length(p.X)*scale, Y: start.Y - vg.Length(p.Y)*scale}
		}
		glyph, err := f.Face.GlyphIndex(&buffer, r)
		if err != nil {
			continue // reported by lettered
		}
		segments, err := f.Face.LoadGlyph(&buffer, glyph, em, nil)
		if err != nil {
			continue
		}
		for k, s := range segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if k > 0 {
					path.Close()
				}
				path.Move(place(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(place(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(place(s.Args[0]), place(s.Args[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(place(s.Args[0]), place(s.Args[1]), place(s.Args[2]))
			}
		}
		if len(segments) > 0 {
			path.Close()
		}
	}
	return path
}

// A lettered canvas notes the first text with a character that its font lacks.
type lettered struct {
	vg.CanvasWriterTo
	text, lacks string
}

// FillString implements vg.Canvas.
func (c *lettered) FillString(f font.Face, at vg.Point, text string) {
	var buffer sfnt.Buffer
	for _, r := range text {
		if glyph, err := f.Face.GlyphIndex(&buffer, r); c.lacks == "" && (err != nil || glyph == 0) {
			c.text, c.lacks = text, string(r)
		}
	}
	c.CanvasWriterTo.FillString(f, at, text)
}
