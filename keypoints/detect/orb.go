package detect

import (
	"math"

	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// newORB returns OpenCV's ORB, which finds keypoints level by level, in the order of
// OpenCV's partial sort.
func newORB(p keypoints.Params) detector {
	score := gocv.ORBScoreTypeHarris
	if p.Choice("score_type") == "fast_score" {
		score = gocv.ORBScoreTypeFAST
	}
	const pointsPerBit = 2 // WTA_K; rows of 3 or 4 have another distance
	orb := gocv.NewORBWithParams(p.Int("nfeatures"), float32(p.Float("scale_factor")), p.Int("nlevels"), p.Int("edge_threshold"),
		p.Int("first_level"), pointsPerBit, score, p.Int("patch_size"), p.Int("fast_threshold"))
	return &orb
}

// ORBLevels returns how many levels of ORB's pyramid, at most nlevels, have at
// least one pixel for an image of w×h px.
func ORBLevels(w, h int, p keypoints.Params) int {
	scale, first := p.Float("scale_factor"), p.Int("first_level")
	for level := range p.Int("nlevels") {
		if float64(min(w, h)) < math.Pow(scale, float64(level-first)) {
			return level
		}
	}
	return p.Int("nlevels")
}
