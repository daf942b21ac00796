package dataset

import "context"

// Verify opens a scene, decodes all its images, and checks that every
// homography shows some of image 1. It returns the share of image 1's pixels
// that lie inside image k, at index k-1.
func Verify(ctx context.Context, root, name string) (*Scene, [images]float64, error) {
	var overlap [images]float64
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
