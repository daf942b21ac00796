package detect

import (
	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// detectFAST finds corners in the grey image, row by row.
func detectFAST(img Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	types := map[string]gocv.FastFeatureDetectorType{
		"type_5_8":  gocv.FastFeatureDetectorType58,
		"type_7_12": gocv.FastFeatureDetectorType712,
		"type_9_16": gocv.FastFeatureDetectorType916,
	}
	fast := gocv.NewFastFeatureDetectorWithParams(p.Int("threshold"), p.Bool("nonmax_suppression"), types[p.Choice("detector_type")])
	defer fast.Close()
	return find(&fast, img.Gray)
}

// detectAGAST finds corners in the grey image, row by row.
func detectAGAST(img Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	types := map[string]int{"agast_5_8": 0, "agast_7_12d": 1, "agast_7_12s": 2, "oast_9_16": 3}
	agast := gocv.NewAgastFeatureDetectorWithParams(p.Int("threshold"), p.Bool("nonmax_suppression"), types[p.Choice("detector_type")])
	defer agast.Close()
	return find(&agast, img.Gray)
}
