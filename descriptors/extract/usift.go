package extract

import (
	"slices"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// extractUprightSIFT describes keypoints as SIFT does at angle 0; their own does
// not count.
func extractUprightSIFT(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	upright := slices.Clone(kps)
	for i := range upright {
		upright[i].Angle = 0
	}
	return extractSIFT(img, upright, p)
}
