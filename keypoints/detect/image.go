package detect

import (
	"errors"
	"fmt"

	"gocv.io/x/gocv"
)

// MinSide is the least width and height, in pixels, of an image that keypoints
// are sought or described in: below it no octave of a scale space has room for
// a descriptor.
const MinSide = 8

// An Image is one decoded image: 8-bit colour in OpenCV's channel order, and
// the grey image made of it. Detectors and extractors only read it, so it may
// be shared between goroutines.
type Image struct {
	BGR  gocv.Mat // CV_8UC3
	Gray gocv.Mat // CV_8UC1, of the same size
}

// NewImage takes over a BGR image, also when it fails, and computes the grey
// one by OpenCV's BGR2GRAY. Decoders that yield grey directly weight the
// channels otherwise, so that grey values would depend on the file's format.
func NewImage(bgr gocv.Mat) (Image, error) {
	img := Image{BGR: bgr}
	if err := checkMat("colour image", bgr, gocv.MatTypeCV8UC3); err != nil {
		img.Close()
		return Image{}, err
	}
	img.Gray = gocv.NewMat()
	if err := gocv.CvtColor(img.BGR, &img.Gray, gocv.ColorBGRToGray); err != nil {
		img.Close()
		return Image{}, fmt.Errorf("grey of a %d×%d image: %w", img.Width(), img.Height(), oneLine(err))
	}
	return img, nil
}

// Width returns the image's width in pixels.
func (img Image) Width() int { return img.BGR.Cols() }

// Height returns the image's height in pixels.
func (img Image) Height() int { return img.BGR.Rows() }

// Close frees the pixels. Closing an image twice does no harm, but of several
// copies of an Image only one may be closed.
func (img *Image) Close() {
	img.BGR.Close()
	img.Gray.Close()
}

// Check returns an error if the image is not one that NewImage made and nobody
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
		return fmt.Errorf("grey image is %d×%d px, want %d×%d px as the colour image", img.Gray.Cols(), img.Gray.Rows(), w, h)
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
		return fmt.Errorf("%s is of OpenCV's type %v, want %v", what, m.Type(), want)
	}
	return nil
}
