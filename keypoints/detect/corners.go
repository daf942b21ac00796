package detect

import (
	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// newFAST returns OpenCV's FAST, which finds corners row by row.
func newFAST(p keypoints.Params) detector {
	types := map[string]gocv.FastFeatureDetectorType{
		"type_5_8":  gocv.FastFeatureDetectorType58,
		"type_7_12": gocv.FastFeatureDetectorType712,
		"type_9_16": gocv.FastFeatureDetectorType916,
	}
	fast := gocv.NewFastFeatureDetectorWithParams(p.Int("threshold"), p.Bool("nonmax_suppression"), types[p.Choice("detector_type")])
	return &fast
}

// newAGAST returns OpenCV's AGAST, which finds corners row by row.
func newAGAST(p keypoints.Params) detector {
	types := map[string]int{"agast_5_8": 0, "agast_7_12d": 1, "agast_7_12s": 2, "oast_9_16": 3}
	agast := gocv.NewAgastFeatureDetectorWithParams(p.Int("threshold"), p.Bool("nonmax_suppression"), types[p.Choice("detector_type")])
	return &agast
}

// newGFTT returns OpenCV's GFTT, which finds corners, strongest first.
func newGFTT(p keypoints.Params) detector {
	gftt := gocv.NewGFTTDetectorWithParams(gocv.GFTTDetectorParams{
		MaxCorners: p.Int("max_corners"), QualityLevel: p.Float("quality_level"), MinDistance: p.Float("min_distance"),
		BlockSize: p.Int("block_size"), UseHarrisDetector: p.Bool("use_harris_detector"), K: p.Float("k"),
	})
	return &gftt
}
