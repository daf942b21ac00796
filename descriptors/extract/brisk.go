package extract

import (
	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// extractBRISK describes keypoints by position and size. OpenCV recomputes
// their orientation and drops those whose pattern does not fit into the image.
// The pattern does not shrink for sizes below 7.2 px, nor grow for sizes above
// about 200 px.
func extractBRISK(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	// OpenCV's border check lets NaN pass, and OpenCV accepts any size.
	q := queryOf(kps, func(k keypoints.Keypoint) bool { return k.Finite() && k.Size > 0 })
	q.tag()
	return compute("brisk", img.Gray, len(kps), p, q)
}
