package detect

import (
	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// NewBRISK returns OpenCV's BRISK with the parameters of the brisk detector,
// the descriptor or both; parameters missing from p get their defaults. The
// caller closes it. It holds 47 MB of sampling patterns, which take longer to
// compute than describing a small image.
func NewBRISK(p keypoints.Params) gocv.BRISK {
	p = Complete("brisk", nil, p)
	return gocv.NewBRISKWithParams(p.Int("thresh"), p.Int("octaves"), float32(p.Float("pattern_scale")))
}

// detectBRISK finds BRISK keypoints with room for the descriptor's pattern in
// the grey image, layer by layer. The octave of a keypoint is the number of its
// layer, two per octave.
func detectBRISK(img Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	brisk := NewBRISK(p)
	defer brisk.Close()
	return find(&brisk, img.Gray)
}
