package detect

import (
	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// NewBRISK returns OpenCV's BRISK with the parameters of the brisk detector, of
// the descriptor or of both; what p lacks is at its default. The caller closes
// it. It holds 47 MB of sampling patterns, which take longer to compute than
// small images to describe.
func NewBRISK(p keypoints.Params) gocv.BRISK {
	p = Complete("brisk", nil, p)
	return gocv.NewBRISKWithParams(p.Int("thresh"), p.Int("octaves"), float32(p.Float("pattern_scale")))
}

// detectBRISK finds BRISK keypoints in the grey image, layer by layer, that
// leave room for the descriptor's pattern. The octave of a keypoint is the
// number of its layer, two per octave.
func detectBRISK(img Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	brisk := NewBRISK(p)
	defer brisk.Close()
	return find(&brisk, img.Gray)
}
