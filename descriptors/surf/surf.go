// Package surf detects and describes keypoints with SURF. It is pure Go.
//
// The method is that of Bay, Ess, Tuytelaars, Van Gool, "Speeded-Up Robust
// Features (SURF)", Computer Vision and Image Understanding 110(3), 2008. The
// paper does not specify sampling, rounding and interpolation; this package
// follows OpenCV 4.6 (xfeatures2d). Parameters, keypoint attributes and
// keypoint order also follow OpenCV, so results can be compared directly. To
// agree to the last bit, sums use OpenCV's precision (mostly float32) and
// order. Products are converted explicitly before they are added, because a
// compiler may otherwise fuse the two operations and make the values depend on
// the machine.
package surf

import (
	"descbench/descriptors"
	"descbench/keypoints"
)

// Detect returns the keypoints of the image, strongest first, given the parameters of the detector
// surf. The size is the side of the box filter in pixels, interpolated and rounded. The response is
// the Hessian determinant. Octaves count from 0. The class is the sign of the Laplacian (1: dark on
// bright, -1: bright on dark). Keypoints without an orientation, which Describe would mark invalid,
// are left out. An image smaller than the filters has no keypoints.
func Detect(gray *Gray, p keypoints.Params) []keypoints.Keypoint {
	sum := newIntegral(gray)
	found := findBlobs(sum, p)
	o := newOrienter(gray, p.Bool("upright"), sum)
	kept := found[:0]
	for _, kp := range found {
		if angle, ok := o.angle(kp); ok {
			kp.Angle = angle
			kept = append(kept, kp)
		}
	}
	return kept
}

// Describe describes the given keypoints by position and size, given the parameters of the kind surf. It returns the
// keypoints, row by row, with recomputed orientations, and a Float32 matrix of
// as many rows with unit L2 norm. A keypoint that cannot be described keeps its
// row, which is zero and marked invalid, and gets the angle -1. This happens if
// its position is outside the image, if its size is too small for one pixel of
// the window or too large for the image, if position or size is not finite, or
// if no gradient can be sampled near it. The row of a keypoint without contrast
// around it is also zero and invalid.
func Describe(gray *Gray, kps []keypoints.Keypoint, p keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix) {
	out := make([]keypoints.Keypoint, len(kps))
	o := newOrienter(gray, p.Bool("upright"), nil)
	for i, kp := range kps {
		out[i] = kp
		out[i].Angle = keypoints.NoAngle
		if angle, ok := o.angle(kp); ok {
			out[i].Angle = angle
		}
	}
	return out, describe(gray, out, p)
}

// DetectAndDescribe returns the keypoints of Detect and the rows that Describe
// returns for them, given the parameters of both.
func DetectAndDescribe(gray *Gray, p keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix) {
	kps := Detect(gray, p)
	return kps, describe(gray, kps, p)
}
