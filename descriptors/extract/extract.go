// Package extract describes keypoints with OpenCV's extractors (for SURF see
// SURFImplementation), and detects them. It returns raw rows, one per keypoint
// in the order of the keypoints. Package descriptors does rooting,
// normalisation and fusion.
//
// This package does not check whether a detector's keypoints are suitable for a
// kind of descriptor; see descriptors.Kind.Accepts.
package extract

import (
	"fmt"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// Version is part of the key of cached features and detections. Increase it
// with every change to this package or package detect that gives a different
// row, keypoint or validity for the same image, keypoints and parameters.
const Version = 2

// extractors maps each entry of descriptors.Kinds to its function. The function
// marks the rows of keypoints that it cannot describe, or leaves them zero if a
// valid descriptor cannot be zero.
var extractors = map[string]func(detect.Image, []keypoints.Keypoint, keypoints.Params) (*descriptors.Matrix, error){
	"sift":         extractSIFT,
	"rgbsift":      extractRGBSIFT,
	"rgbsift_mean": extractRGBSIFTMean,
	"opponentsift": extractOpponentSIFT,
	"surf":         extractSURF,
	"orb":          extractORB,
	"brisk":        extractBRISK,
	"akaze":        extractAKAZE,
	"kaze":         extractKAZE,
}

// Extract returns the raw descriptors of the keypoints; row i describes kps[i].
// A keypoint that cannot be described has a row of zeros, marked invalid. So
// does a keypoint in a region without texture, except that binary descriptors
// may describe it. params must hold every parameter that descriptors.Kinds
// lists for the kind.
func Extract(img detect.Image, kps []keypoints.Keypoint, kind string, params keypoints.Params) (*descriptors.Matrix, error) {
	extract, ok := extractors[kind]
	if !ok {
		return nil, fmt.Errorf("unknown OpenCV descriptor %q", kind)
	}
	if err := img.Check(); err != nil {
		return nil, fmt.Errorf("extract %s: %w", kind, err)
	}
	m, err := extract(img, kps, params)
	if err != nil {
		return nil, fmt.Errorf("extract %s of %d keypoints: %w", kind, len(kps), err)
	}
	return descriptors.MarkInvalid(m), nil
}

// shapeOf returns the dimension and type of a kind's rows.
func shapeOf(kind string, p keypoints.Params) (dim int, t descriptors.ElementType) {
	for _, k := range descriptors.Kinds() {
		if k.Name == kind {
			return k.Shape(p)
		}
	}
	panic("extract: unknown kind " + kind) // the names are constants of this package
}
