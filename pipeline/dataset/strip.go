package dataset

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"descbench/eval/patches"
	"descbench/keypoints/detect"
	"descbench/pipeline/files"
)

// A Strip is an image of 65×65 px patches stacked vertically, as in the patch
// benchmark of HPatches. It is grey or colour.
type Strip struct{ img detect.Image }

// ReadStrip reads a PNG file. Close frees it.
func ReadStrip(path string) (*Strip, error) {
	data, err := files.Read(path, patches.MaxFileBytes)
	if err != nil {
		return nil, err
	}
	n, err := patches.StripPatches(path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	bgr, err := decode(data, n*patches.PatchSide*patches.PatchSide)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	img, err := detect.NewImage(bgr)
	return &Strip{img}, err
}

// IsGray reports whether no pixel has a colour.
func (s *Strip) IsGray() bool {
	for bgr := range slices.Chunk(s.img.BGR.ToBytes(), 3) {
		if bgr[0] != bgr[1] || bgr[0] != bgr[2] {
			return false
		}
	}
	return true
}

// Len returns the number of patches.
func (s *Strip) Len() int { return s.img.Height() / patches.PatchSide }

// Patch returns patch i, with a margin in px on every side that repeats the patch's
// outermost pixels. The caller must close the image.
func (s *Strip) Patch(i, margin int) (detect.Image, error) {
	at := image.Rect(0, i*patches.PatchSide, patches.PatchSide, (i+1)*patches.PatchSide)
	view := s.img.BGR.Region(at)
	defer view.Close()
	out := gocv.NewMat()
	// Isolated, because the next patch follows and must not be visible.
	if err := gocv.CopyMakeBorder(view, &out, margin, margin, margin, margin, gocv.BorderReplicate|gocv.BorderIsolated, color.RGBA{}); err != nil {
		out.Close()
		return detect.Image{}, fmt.Errorf("repeat the edges of the patch: %w", detect.OneLine(err))
	}
	return detect.NewImage(out)
}

// Deviations returns the standard deviation of the grey values, 0 to 255, of each
// patch.
func (s *Strip) Deviations() []float64 {
	pixels := s.img.Gray.ToBytes()
	list := make([]float64, s.Len())
	const n = patches.PatchSide * patches.PatchSide
	for i := range list {
		sum, squares := 0, 0
		for _, v := range pixels[i*n : (i+1)*n] {
			sum += int(v)
			squares += int(v) * int(v)
		}
		list[i] = math.Sqrt(float64(n*squares-sum*sum)) / n
	}
	return list
}

// Close frees the pixels.
func (s *Strip) Close() { s.img.Close() }
