package detect

import (
	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// NewSIFT returns OpenCV's SIFT with the parameters of the sift detector. The
// caller closes it.
func NewSIFT(p keypoints.Params) gocv.SIFT {
	features, layers := p.Int("nfeatures"), p.Int("n_octave_layers")
	contrast, edge, sigma := p.Float("contrast_threshold"), p.Float("edge_threshold"), p.Float("sigma")
	return gocv.NewSIFTWithParams(&features, &layers, &contrast, &edge, &sigma)
}

// detectSIFT finds SIFT keypoints in the grey image. With nfeatures > 0 OpenCV
// also keeps all keypoints as strong as the weakest one kept, so there may be
// more than nfeatures. Their order is that of OpenCV's partial sort.
func detectSIFT(img Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	sift := NewSIFT(p)
	defer sift.Close()
	return find(&sift, img.Gray)
}
