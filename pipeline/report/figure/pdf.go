package figure

import (
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// A pdfCanvas writes text in the encoding of the fonts that vgpdf embeds.
type pdfCanvas struct{ *vgpdf.Canvas }

// FillString implements vg.Canvas.
func (c pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	c.Canvas.FillString(f, at, windows1252(text))
}

// windows1252 encodes a text. The minus sign becomes an en dash, which looks the
// same, and other characters that the encoding lacks become question marks.
func windows1252(text string) string {
	var out []byte
	for _, r := range text {
		if r == '−' {
			r = '–'
		}
		b, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			b = '?'
		}
		out = append(out, b)
	}
	return string(out)
}
