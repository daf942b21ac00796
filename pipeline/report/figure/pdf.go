package figure

import (
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// A pdfCanvas writes text in the encoding of the fonts that vgpdf embeds. It draws
// the outlines of other text, such as Greek and Cyrillic.
type pdfCanvas struct{ *vgpdf.Canvas }

// FillString implements vg.Canvas.
func (c pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	if encoded, ok := windows1252(text); ok {
		c.Canvas.FillString(f, at, encoded)
		return
	}
	c.Fill(outlines(f, at, text))
}

// windows1252 encodes a text. The minus sign becomes an en dash, which looks the
// same. ok is false if the encoding lacks a character.
func windows1252(text string) (encoded string, ok bool) {
	var out []byte
	for _, r := range text {
		if r == '−' {
			r = '–'
		}
		b, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			return "", false
		}
		out = append(out, b)
	}
	return string(out), true
}

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
