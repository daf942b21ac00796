// Package extract describes keypoints with OpenCV's extractors (SURF: see
// SURFImplementation), and detects them. It yields raw rows, one per keypoint and in their
// order; rooting, normalisation and fusion are package descriptors'.
//
// Whether a detector's keypoints are fit for a kind of descriptor is not its
// question but descriptors.Kind.Accepts'.
package extract

import (
	"fmt"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// Version is part of the key of cached features and detections. Raise it with
// every change to this package or to package detect after which the same
// image, keypoints and parameters give another row, another keypoint, or
// another verdict on which rows are invalid.
const Version = 2

// extractors holds what computes each entry of descriptors.Kinds. It marks the
// rows of keypoints that could not be described, or leaves them at zero if no
// descriptor can be zero.
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

// Extract returns the raw descriptors of the keypoints, row i being that of
// kps[i]. A keypoint that cannot be described has a row of zeros, marked
// invalid, and so has one whose surroundings are without texture, except that
// these may well have bits. params must hold every parameter that
// descriptors.Kinds lists for the kind.
func Extract(img detect.Image, kps []keypoints.Keypoint, kind string, params keypoints.Params) (*descriptors.Matrix, error) {
	extract, ok := extractors[kind]
	if !ok {
		return nil, fmt.Errorf("descriptor %q is not one of OpenCV's known here", kind)
	}
	if err := img.Check(); err != nil {
		return nil, fmt.Errorf("extract %s: %w", kind, err)
	}
	m, err := extract(img, kps, params)
	if err != nil {
		return nil, fmt.Errorf("extract %s of %d keypoints: %w", kind, len(kps), err)
	}
	m.MarkEmpty()
	return m, nil
}

// shapeOf returns the dimension and the type of a kind's rows.
func shapeOf(kind string, p keypoints.Params) (dim int, t descriptors.ElementType) {
	for _, k := range descriptors.Kinds() {
		if k.Name == kind {
			return k.Shape(p)
		}
	}
	panic("extract: no kind " + kind) // the names are constants of this package
}
