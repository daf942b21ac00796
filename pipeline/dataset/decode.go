package dataset

import (
	"context"
	"fmt"
	"image"

	"gocv.io/x/gocv"

	"descbench/keypoints/detect"
	"descbench/pipeline/store"
)

// Decode returns the pixels of image i, counted from 0, as 8-bit BGR. It
// returns an error if the file is truncated or damaged, or has changed since Open, so
// that the pixels always belong to the image's digest. The caller must close the matrix.
func (s *Scene) Decode(i int) (gocv.Mat, error) {
	data, err := s.read(i)
	if err != nil {
		return gocv.Mat{}, err
	}
	img := s.Images[i]
	if store.SHA256(data) != img.file {
		return gocv.Mat{}, store.Faultf(s.Where(i), "changed while in use")
	}
	bgr, err := decode(data, s.maxPixels)
	if err == nil && img.turns > 0 {
		bgr, err = turned(bgr, img.turns)
	}
	if err == nil && img.stored != nil {
		bgr, err = img.stored.resizing.resized(bgr)
	}
	if err != nil {
		return gocv.Mat{}, &store.Fault{Where: s.Where(i), Err: err}
	}
	return bgr, nil
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
		bgr, err := s.Decode(i)
		if err != nil {
			return nil, err
		}
		bgr.Close()
		if overlap[i], err = s.Overlap(i); err != nil {
			return nil, err
		}
	}
	return overlap, nil
}

// Picture is like Decode, but returns an image of package image.
func (s *Scene) Picture(i int) (*image.RGBA, error) {
	bgr, err := s.Decode(i)
	if err != nil {
		return nil, err
	}
	defer bgr.Close()
	img, err := bgr.ToImage()
	if err != nil {
		return nil, &store.Fault{Where: s.Where(i), Err: detect.OneLine(err)}
	}
	return img.(*image.RGBA), nil
}
