package dataset

import (
	"context"

	"descbench/eval/scope"
)

// Verify opens a scene, decodes all its images, and checks that every homography
// maps some pixels of image 1 into the other image. It returns, at index k-1, the
// share of image 1's pixels that are inside image k.
func Verify(ctx context.Context, root, name string) (*Scene, [scope.Images]float64, error) {
	var overlap [scope.Images]float64
	s, err := Open(ctx, root, name)
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
		if overlap[i] = s.Overlap(i); overlap[i] == 0 {
			return nil, overlap, errorf(name+"/"+homographyFile(i+1), "maps no pixel of image 1 into image %d", i+1)
		}
	}
	return s, overlap, nil
}
