package dataset

import (
	"context"
	"errors"
	"fmt"
	"image"

	"gocv.io/x/gocv"

	"descbench/keypoints/detect"
	"descbench/pipeline/store"
)

// Decode returns the pixels of image i, counted from 0. It returns a *store.Fault if the
// file is truncated or damaged, or has changed since Open, so that the pixels always
// belong to the image's digest. The caller must close the image.
func (s *Scene) Decode(i int) (img detect.Image, err error) {
	data, err := s.read(i)
	if err != nil {
		return img, err
	}
	bgr, err := s.Images[i].decode(data, s.maxPixels)
	if err == nil {
		img, err = detect.NewImage(bgr)
	}
	if err != nil {
		return img, &store.Fault{Where: s.Where(i), Err: err}
	}
	return img, nil
}

// decode returns the pixels of the image, given the content of its file.
func (f ImageFile) decode(data []byte, maxPixels int) (gocv.Mat, error) {
	if store.SHA256(data) != f.file {
		return gocv.Mat{}, errors.New("changed while in use")
	}
	bgr, err := decode(data, maxPixels)
	if err == nil && f.turns > 0 {
		bgr, err = turned(bgr, f.turns)
	}
	if err == nil && f.stored != nil {
		bgr, err = f.stored.resizing.resized(bgr)
	}
	return bgr, err
}

// turned returns an image after quarter turns to the left, and closes bgr.
func turned(bgr gocv.Mat, turns int) (gocv.Mat, error) {
	defer bgr.Close()
	out := gocv.NewMat()
	how := [...]gocv.RotateFlag{1: gocv.Rotate90CounterClockwise, 2: gocv.Rotate180Clockwise, 3: gocv.Rotate90Clockwise}[turns]
	if err := gocv.Rotate(bgr, &out, how); err != nil {
		out.Close()
		return gocv.Mat{}, fmt.Errorf("OpenCV cannot turn the image: %w", detect.OneLine(err))
	}
	return out, nil
}

// decode returns the pixels of an image of at most maxPixels. The decoder is the check
// that the file is whole: a file whose header can be read may be truncated or damaged.
func decode(data []byte, maxPixels int) (gocv.Mat, error) {
	h, err := readHeader(data, maxPixels)
	if err != nil {
		return gocv.Mat{}, err
	}
	bgr := gocv.NewMatWithSize(h.height, h.width, gocv.MatTypeCV8UC3)
	pixels, err := bgr.DataPtrUint8()
	if err == nil {
		err = h.decode(h.picture, pixels)
	}
	if err != nil {
		bgr.Close()
		return gocv.Mat{}, h.damage(err)
	}
	return bgr, nil
}

// Verify decodes all images of the scene. It returns, at index k-1, the share of image
// 1's pixels that are inside image k.
func (s *Scene) Verify(ctx context.Context) ([]float64, error) {
	overlap := make([]float64, len(s.Images))
	for i := range s.Images {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		img, err := s.Decode(i)
		if err != nil {
			return nil, err
		}
		img.Close()
		if overlap[i], err = s.Overlap(i); err != nil {
			return nil, err
		}
	}
	return overlap, nil
}

// Picture is like Decode, but returns an image of package image.
func (s *Scene) Picture(i int) (*image.RGBA, error) {
	img, err := s.Decode(i)
	if err != nil {
		return nil, err
	}
	defer img.Close()
	picture, err := img.BGR.ToImage()
	if err != nil {
		return nil, &store.Fault{Where: s.Where(i), Err: detect.OneLine(err)}
	}
	return picture.(*image.RGBA), nil
}
