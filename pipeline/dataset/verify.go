package dataset

import (
	"context"

	"descbench/eval/scope"
)

// Verify opens a scene and decodes all its images. It returns, at index k-1, the
// share of image 1's pixels that are inside image k.
func Verify(ctx context.Context, root, name string, maxMegapixels int) (*Scene, [scope.Images]float64, error) {
	var overlap [scope.Images]float64
	s, err := Open(ctx, root, name, maxMegapixels)
	if err != nil {
		return nil, overlap, err
	}
	for i := range s.Images {
		if err := ctx.Err(); err != nil {
			return nil, overlap, err
		}
		bgr, err := s.Decode(i)
		if err != nil {
			return nil, overlap, err
		}
		bgr.Close()
		overlap[i] = s.Overlap(i)
	}
	return s, overlap, nil
}
