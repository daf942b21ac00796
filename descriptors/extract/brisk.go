package extract

import (
	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

const briskBits = 512

// extractBRISK describes keypoints by position and size. OpenCV recomputes
// their orientation and drops those whose pattern does not fit into the image.
// The pattern does not shrink for sizes below 7.2 px, nor grow for sizes above
// about 200 px.
func extractBRISK(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	// OpenCV's border check lets NaN pass, and OpenCV accepts any size.
	given := tagged(kps, func(k keypoints.Keypoint) bool { return k.Finite() && k.Size > 0 })
	brisk, done := detect.BRISK(p)
	defer done()
	return compute(shape{len(kps), briskBits, descriptors.Bits}, brisk, img.Gray, given, tags)
}

func detectAndDescribeBRISK(img detect.Image, dp, kp keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	brisk, done := detect.BRISK(union(dp, kp))
	defer done()
	return detectAndCompute(brisk, img.Gray, briskBits, descriptors.Bits)
}
