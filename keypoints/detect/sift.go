package detect

import (
	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// newSIFT returns OpenCV's SIFT. With nfeatures > 0 it also keeps all keypoints as
// strong as the weakest one kept, so there may be more than nfeatures. Their order is
// that of OpenCV's partial sort.
func newSIFT(p keypoints.Params) detector {
	features, layers := p.Int("nfeatures"), p.Int("n_octave_layers")
	contrast, edge, sigma := p.Float("contrast_threshold"), p.Float("edge_threshold"), p.Float("sigma")
	sift := gocv.NewSIFTWithParams(&features, &layers, &contrast, &edge, &sigma)
	return &sift
}
