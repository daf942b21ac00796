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
	if err := checkMat("colour image", bgr, gocv.MatTypeCV8UC3); err != nil {
		img.Close()
		return Image{}, err
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

// Check returns an error if the image was not made by NewImage, has been
// closed, or is smaller than MinSide.
func (img Image) Check() error {
	if err := checkMat("colour image", img.BGR, gocv.MatTypeCV8UC3); err != nil {
		return err
	}
	if err := checkMat("grey image", img.Gray, gocv.MatTypeCV8UC1); err != nil {
		return err
	}
	w, h := img.Width(), img.Height()
	if img.Gray.Cols() != w || img.Gray.Rows() != h {
		return fmt.Errorf("grey image is %d×%d px, want %d×%d px like the colour image", img.Gray.Cols(), img.Gray.Rows(), w, h)
	}
	if min(w, h) < MinSide {
		return fmt.Errorf("image is %d×%d px, want at least %d×%d px", w, h, MinSide, MinSide)
	}
	return nil
}

func checkMat(what string, m gocv.Mat, want gocv.MatType) error {
	switch {
	case m.Closed():
		return errors.New(what + " is closed or was never decoded")
	case m.Empty():
		return errors.New(what + " is empty")
	case m.Type() != want:
		return fmt.Errorf("%s has OpenCV type %v, want %v", what, m.Type(), want)
	}
	return nil
}
