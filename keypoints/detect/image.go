package detect

import (
	"errors"
	"fmt"

	"gocv.io/x/gocv"
)

// MinSide is the minimum width and height, in pixels, of an image for detection
// or description. In smaller images no octave of a scale space has room for a
// descriptor.
const MinSide = 8

// An Image is one decoded image: 8-bit colour in OpenCV's channel order, and
// the grey image computed from it. Detectors and extractors only read it, so
// goroutines may share it.
type Image struct {
	BGR  gocv.Mat // CV_8UC3
	Gray gocv.Mat // CV_8UC1, of the same size
}

// NewImage takes ownership of a BGR image, even if it fails, and computes the
// grey image with OpenCV's BGR2GRAY. Decoders that return grey directly weight
// the channels differently, so grey values would depend on the file format.
func NewImage(bgr gocv.Mat) (Image, error) {
	img := Image{BGR: bgr}
	if bgr.Closed() || bgr.Empty() || bgr.Type() != gocv.MatTypeCV8UC3 {
		img.Close()
		return Image{}, errors.New("not an image of 8-bit colour, or not decoded")
	}
	img.Gray = gocv.NewMat()
	if err := gocv.CvtColor(img.BGR, &img.Gray, gocv.ColorBGRToGray); err != nil {
		img.Close()
		return Image{}, fmt.Errorf("convert image of %d×%d px to grey: %w", img.Width(), img.Height(), OneLine(err))
	}
	return img, nil
}

// Width returns the image's width in pixels.
func (img Image) Width() int { return img.BGR.Cols() }

// Height returns the image's height in pixels.
func (img Image) Height() int { return img.BGR.Rows() }

// RGB returns the bytes of the pixels, row by row: red, green, blue.
func (img Image) RGB() []byte {
	pixels := img.BGR.ToBytes() // a copy; NewImage's images are continuous
	for i := 0; i+2 < len(pixels); i += 3 {
		pixels[i], pixels[i+2] = pixels[i+2], pixels[i]
	}
	return pixels
}

// Close frees the pixels. Closing an image twice is harmless, but only one of
// several copies of an Image may be closed.
func (img *Image) Close() {
	img.BGR.Close()
	img.Gray.Close()
}

// Check returns an error if the image has been closed, or is smaller than MinSide.
func (img Image) Check() error {
	if img.BGR.Closed() || img.Gray.Closed() {
		return errors.New("image is closed or was never decoded")
	}
	if w, h := img.Width(), img.Height(); min(w, h) < MinSide {
		return fmt.Errorf("image is %d×%d px, want at least %d×%d px", w, h, MinSide, MinSide)
	}
	return nil
}
