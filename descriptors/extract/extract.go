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

// An extractor computes the rows of a kind.
type extractor struct {
	// describe marks the rows of keypoints that could not be described, or
	// leaves them at zero if no descriptor can be zero.
	describe func(detect.Image, []keypoints.Keypoint, keypoints.Params) (*descriptors.Matrix, error)
	// together detects and describes by the detector of the kind's own name in
	// one pass, on parameters that agree; nil: there is no such pass.
	together func(img detect.Image, detector, kind keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error)
	// exact reports whether together's rows are those of describe; nil: always.
	exact func(kind keypoints.Params) bool
}

// extractors holds what computes each entry of descriptors.Kinds.
var extractors = map[string]extractor{
	"sift": {
		describe: extractSIFT, together: detectAndDescribeSIFT,
		exact: func(p keypoints.Params) bool { return p.Choice("pyramid") == "full" }, // the detector's pyramid always is
	},
	"rgbsift":      {describe: extractRGBSIFT},
	"rgbsift_mean": {describe: extractRGBSIFTMean},
	"opponentsift": {describe: extractOpponentSIFT},
	"usift":        {describe: extractUprightSIFT},
	"surf":         {describe: extractSURF, together: detectAndDescribeSURF},
	"orb": {
		describe: extractORB, together: detectAndDescribeORB,
		// By itself OpenCV describes no enlarged level's keypoints at the border.
		exact: func(p keypoints.Params) bool { return p.Int("first_level") == 0 },
	},
	"brisk": {describe: extractBRISK, together: detectAndDescribeBRISK},
	"akaze": {describe: extractAKAZE, together: detectAndDescribeAKAZE},
	"kaze": {
		describe: extractKAZE, together: detectAndDescribeKAZE,
		exact: func(p keypoints.Params) bool { return p.Choice("gradients") == "detector" },
	},
}

// Extract returns the raw descriptors of the keypoints, row i being that of
// kps[i]. A keypoint that cannot be described has a row of zeros, marked
// invalid, and so has one whose surroundings are without texture, except that
// these may well have bits. params must hold every parameter that
// descriptors.Kinds lists for the kind.
func Extract(img detect.Image, kps []keypoints.Keypoint, kind string, params keypoints.Params) (*descriptors.Matrix, error) {
	x, ok := extractors[kind]
	if !ok {
		return nil, fmt.Errorf("descriptor %q is not one of OpenCV's known here", kind)
	}
	if err := img.Check(); err != nil {
		return nil, fmt.Errorf("extract %s: %w", kind, err)
	}
	m, err := x.describe(img, kps, params)
	if err != nil {
		return nil, fmt.Errorf("extract %s of %d keypoints: %w", kind, len(kps), err)
	}
	m.MarkEmpty()
	return m, nil
}

// shapeOf returns the dimension and the type of a kind's rows.
func shapeOf(kind string, p keypoints.Params) (dim int, t descriptors.ElementType) {
	k, ok := descriptors.FindKind(kind)
	if !ok {
		panic("extract: no kind " + kind) // the names are constants of this package
	}
	return k.Shape(p)
}
