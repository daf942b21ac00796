//go:build !gocv_contrib_xfeatures2d

package extract

import (
	"descbench/descriptors"
	"descbench/descriptors/surf"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// extractSURF describes keypoints by position and size; their orientation is
// found anew.
func extractSURF(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	gray, params, err := detect.SURF(img, p)
	if err != nil {
		return nil, err
	}
	_, m, err := surf.Describe(gray, kps, params)
	return m, err
}

func detectAndDescribeSURF(img detect.Image, dp, kp keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	gray, params, err := detect.SURF(img, union(dp, kp))
	if err != nil {
		return nil, nil, err
	}
	return surf.DetectAndDescribe(gray, params)
}
