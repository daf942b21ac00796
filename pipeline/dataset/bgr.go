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
	case *image.YCbCr:
		videoToBGR(img, bgr)
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

// videoToBGR converts the pixels of a lossy WebP, whose range is that of video (16 to 235),
// not that of package color, by the arithmetic of libwebp (src/dsp/yuv.h).
func videoToBGR(img *image.YCbCr, bgr []byte) {
	clip := func(v int) byte { return byte(max(0, min(v>>6, 255))) }
	width, height := img.Rect.Dx(), img.Rect.Dy()
	for y := range height {
		for x := range width {
			l := int(img.Y[y*img.YStride+x]) * 19077 >> 8
			u, v := chroma(img, img.Cb, x, y), chroma(img, img.Cr, x, y)
			to := bgr[3*(y*width+x):]
			to[0] = clip(l + u*33050>>8 - 17685)
			to[1] = clip(l - u*6419>>8 - v*13320>>8 + 8708)
			to[2] = clip(l + v*26149>>8 - 14234)
		}
	}
}

// chroma interpolates a channel of half the size (src/dsp/upsampling.c).
func chroma(img *image.YCbCr, channel []byte, x, y int) int {
	near := func(at, size int) (nearest, next int) {
		return at / 2, max(0, min(at/2+at%2*2-1, (size-1)/2))
	}
	column, nextColumn := near(x, img.Rect.Dx())
	row, nextRow := near(y, img.Rect.Dy())
	at := func(row, column int) int { return int(channel[row*img.CStride+column]) }
	a, b, c, d := at(row, column), at(row, nextColumn), at(nextRow, column), at(nextRow, nextColumn)
	return (a + (a+3*b+3*c+d+8)>>3) >> 1
}
