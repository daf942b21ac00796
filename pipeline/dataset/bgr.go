package dataset

import (
	"fmt"
	"image"
	"image/color"
)

// toBGR writes the colours of an image as they are stored, whatever their alpha: those of
// 16 bits by their high byte.
func toBGR(img image.Image, bgr []byte) error {
	switch img := img.(type) {
	case *image.Gray:
		interleave(bgr, img.Pix, 1, 0)
	case *image.Gray16:
		interleave(bgr, img.Pix, 2, 0)
	case *image.RGBA:
		interleave(bgr, img.Pix, 4, 1)
	case *image.NRGBA:
		interleave(bgr, img.Pix, 4, 1)
	case *image.RGBA64:
		interleave(bgr, img.Pix, 8, 2)
	case *image.NRGBA64:
		interleave(bgr, img.Pix, 8, 2)
	case *image.Paletted:
		var colours [256]color.NRGBA
		for i, c := range img.Palette {
			colours[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
		}
		for i, index := range img.Pix {
			c := colours[index]
			bgr[3*i], bgr[3*i+1], bgr[3*i+2] = c.B, c.G, c.R
		}
	default:
		return fmt.Errorf("cannot read pixels of type %T", img)
	}
	return nil
}

// interleave copies pixels of some bytes whose red, green and blue are so many bytes apart.
func interleave(bgr, pix []byte, pixel, sample int) {
	for i, at := 0, 0; i+2 < len(bgr); i, at = i+3, at+pixel {
		bgr[i], bgr[i+1], bgr[i+2] = pix[at+2*sample], pix[at+sample], pix[at]
	}
}
