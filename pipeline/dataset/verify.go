package dataset

import "context"

// Verify opens a scene and decodes all its images. It returns, at index k-1, the
// share of image 1's pixels that are inside image k.
func Verify(ctx context.Context, root, name string, maxMegapixels int) (*Scene, []float64, error) {
	s, err := Open(ctx, root, name, maxMegapixels)
	if err != nil {
		return nil, nil, err
	}
	overlap := make([]float64, len(s.Images))
	for i := range s.Images {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		bgr, err := s.Decode(i)
		if err != nil {
			return nil, nil, err
		}
		bgr.Close()
		overlap[i] = s.Overlap(i)
	}
	return s, overlap, nil
}
