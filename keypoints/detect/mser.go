package detect

import (
	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// newMSER returns OpenCV's MSER, which finds stable regions: in the grey image the dark
// ones first, then the bright ones.
func newMSER(p keypoints.Params) detector {
	mser := gocv.NewMSERWithParams(p.Int("delta"), p.Int("min_area"), p.Int("max_area"), p.Float("max_variation"), p.Float("min_diversity"),
		p.Int("max_evolution"), p.Float("area_threshold"), p.Float("min_margin"), p.Int("edge_blur_size"))
	return &mser
}
