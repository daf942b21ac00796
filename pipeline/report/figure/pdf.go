package figure

import (
	"bytes"
	"image"
	"image/color"
	"strings"
	"sync"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// A pdfCanvas embeds the letters that most figures have, in the encoding of the fonts of
// vgpdf. The whole font would be most of a file.
type pdfCanvas struct{ *vgpdf.Canvas }

// FillString implements vg.Canvas.
func (c pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	encoded, err := charmap.Windows1252.NewEncoder().String(asInPDF(text))
	if err != nil {
		return // reported by lettered
	}
	f.Face = lettersOnly()
	c.Canvas.FillString(f, at, encoded)
}

// DrawImage implements vg.Canvas. vgpdf turns the page over, and images with it.
func (c pdfCanvas) DrawImage(at vg.Rectangle, img image.Image) {
	bounds := img.Bounds()
	turned := image.NewRGBA(bounds)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			turned.Set(x, bounds.Min.Y+bounds.Max.Y-1-y, img.At(x, y))
		}
	}
	c.Canvas.DrawImage(at, turned)
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

// asInPDF replaces a character by one that looks the same and is in the encoding.
func asInPDF(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '−' {
			return '–'
		}
		return r
	}, text)
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

// A lettered canvas notes the first text with a character that it cannot show.
type lettered struct {
	vg.CanvasWriterTo
	text, lacks string
}

// FillString implements vg.Canvas.
func (c *lettered) FillString(f font.Face, at vg.Point, text string) {
	var buffer sfnt.Buffer
	_, pdf := c.CanvasWriterTo.(pdfCanvas)
	for _, r := range text {
		glyph, err := f.Face.GlyphIndex(&buffer, r)
		if c.lacks == "" && (err != nil || glyph == 0 || pdf && !strings.Contains(letters, asInPDF(string(r)))) {
			c.text, c.lacks = text, string(r)
		}
	}
	c.CanvasWriterTo.FillString(f, at, text)
}
