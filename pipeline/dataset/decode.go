package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"strings"

	"gocv.io/x/gocv"
)

// Decode returns the pixels of image i, counted from 0, as 8-bit BGR. It ignores
// the EXIF orientation, because homographies refer to pixels as stored. It
// returns an error if the file has changed since Open, so that the pixels always
// belong to the image's digest. The caller must close the matrix.
func (s *Scene) Decode(i int) (gocv.Mat, error) {
	data, err := s.read(i)
	if err != nil {
		return gocv.Mat{}, err
	}
	img := s.Images[i]
	file := storedImage{img.Width, img.Height, img.Digest}
	if img.stored != nil {
		file = *img.stored
	}
	if digest(data) != file.digest {
		return gocv.Mat{}, errorf(s.where(i), "changed while in use")
	}
	bgr, err := decode(data, file.width, file.height)
	if err == nil && img.stored != nil {
		bgr, err = resized(bgr, img.Width, img.Height)
	}
	if err != nil {
		return gocv.Mat{}, &Error{s.where(i), err}
	}
	return bgr, nil
}

func decode(data []byte, width, height int) (gocv.Mat, error) {
	if isJPEG(data) {
		if err := checkJPEG(data); err != nil {
			return gocv.Mat{}, err
		}
	}
	if bytes.HasPrefix(data, []byte(pngSignature)) {
		if err := checkPNG(data); err != nil {
			return gocv.Mat{}, err
		}
	}
	if isTIFF(data) {
		if err := checkTIFF(data); err != nil {
			return gocv.Mat{}, err
		}
	}
	bgr := gocv.NewMat()
	// IMDecode would report an exception of any goroutine as its own.
	if err := gocv.IMDecodeIntoMat(data, gocv.IMReadColor|gocv.IMReadIgnoreOrientation, &bgr); err != nil {
		bgr.Close()
		return gocv.Mat{}, fmt.Errorf("OpenCV cannot decode the image: %w", oneLine(err))
	}
	if bgr.Empty() {
		bgr.Close()
		return gocv.Mat{}, errors.New("OpenCV cannot decode the image")
	}
	if bgr.Type() != gocv.MatTypeCV8UC3 || bgr.Cols() != width || bgr.Rows() != height {
		err := fmt.Errorf("OpenCV decodes %dx%d pixels of type %v, want %dx%d of %v",
			bgr.Cols(), bgr.Rows(), bgr.Type(), width, height, gocv.MatTypeCV8UC3)
		bgr.Close()
		return gocv.Mat{}, err
	}
	return bgr, nil
}

// oneLine returns OpenCV's message, which has line breaks, as one line.
func oneLine(err error) error {
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}

// Picture is like Decode, but returns an image of package image.
func (s *Scene) Picture(i int) (*image.RGBA, error) {
	bgr, err := s.Decode(i)
	if err != nil {
		return nil, err
	}
	defer bgr.Close()
	pixels := bgr.ToBytes()
	picture := image.NewRGBA(image.Rect(0, 0, bgr.Cols(), bgr.Rows()))
	for to := 0; to < len(picture.Pix); to += 4 {
		from := to / 4 * 3
		picture.Pix[to], picture.Pix[to+1], picture.Pix[to+2], picture.Pix[to+3] = pixels[from+2], pixels[from+1], pixels[from], 255
	}
	return picture, nil
}
