// Package extract describes keypoints with OpenCV's extractors (SURF with package
// surf), and detects them. It returns raw rows, one per keypoint
// in the order of the keypoints. Package descriptors does rooting,
// normalisation and fusion.
//
// This package does not check whether a detector's keypoints are suitable for a
// kind of descriptor; see descriptors.Kind.Accepts.
package extract

import (
	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// Version is part of the key of cached features and detections. Increase it
// with every change to this package or package detect that gives a different
// row, keypoint or validity for the same image, keypoints and parameters.
const Version = 4

// An extractor computes the rows of a kind.
type extractor struct {
	parts []part
	join  descriptors.Aggregate // how the rows of several parts become one
	// turned returns the keypoint that is described in place of another; nil: the
	// keypoint itself.
	turned func(keypoints.Keypoint) keypoints.Keypoint
	// check refuses the rows of a request; nil: nothing is refused.
	check func(*descriptors.Matrix, keypoints.Params) error
	// together detects with the detector of the kind's own name, if there is one, and
	// describes in one pass, with the parameters of both; nil: as OpenCV's object does.
	together func(kind string, img detect.Image, p keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error)
	// exact reports whether the rows of together equal those of Extract; nil:
	// always.
	exact func(kind keypoints.Params) bool
	// costlySpace says that the scale space costs more than describing all
	// keypoints that are detected in it.
	costlySpace bool
}

// A part computes rows in one scale space. Kinds with parts of the same name and
// equal parameters share their rows.
type part struct {
	name string
	// describe marks the rows of keypoints that it cannot describe, or leaves
	// them zero if a valid descriptor cannot be zero.
	describe func(detect.Image, []keypoints.Keypoint, keypoints.Params) (*descriptors.Matrix, error)
	// company names what a row depends on beside its own keypoint; nil: nothing.
	company func(detect.Image, []keypoints.Keypoint, keypoints.Params) string
}

// extractors maps each entry of descriptors.Kinds to its extractor.
var extractors = map[string]extractor{
	"sift": {
		parts: []part{siftOf("gray", grayPlane)}, together: detectAndDescribeSIFT,
		exact: func(p keypoints.Params) bool { return p.Choice("pyramid") == "full" }, // the detector's pyramid is always full
	},
	"usift":        {parts: []part{siftOf("gray", grayPlane)}, turned: upright},
	"rgbsift":      {parts: rgbPlanes(), join: descriptors.Concatenate},
	"rgbsift_mean": {parts: rgbPlanes(), join: descriptors.Mean},
	"opponentsift": {parts: opponentPlanes(), join: descriptors.Concatenate},
	"surf":         {parts: []part{{name: "surf", describe: extractSURF}}, together: detectAndDescribeSURF},
	"orb": {
		parts: []part{{name: "orb", describe: extractORB}},
		// Alone, describe does not describe keypoints of an enlarged level near
		// the border.
		exact: func(p keypoints.Params) bool { return p.Int("first_level") == 0 },
	},
	"mstd":  {parts: []part{{name: "mstd", describe: extractMStd}}},
	"resz":  {parts: []part{{name: "resz", describe: extractResz}}},
	"brisk": {parts: []part{{name: "brisk", describe: extractBRISK}}},
	"akaze": {parts: []part{{name: "akaze", describe: extractAKAZE}}, costlySpace: true},
	"kaze": {
		parts: []part{{name: "kaze", describe: extractKAZE}}, check: anyDetected,
		// Upright, OpenCV does not compute the angles that the detector gives.
		exact:       func(p keypoints.Params) bool { return p.Choice("gradients") == "detector" && !p.Bool("upright") },
		costlySpace: true,
	},
}

// Extract returns the raw descriptors of the keypoints; row i describes kps[i].
// A keypoint that cannot be described has a row of zeros, marked invalid. So
// does a keypoint in a region without texture, except that binary descriptors
// may describe it. params must hold every parameter that descriptors.Kinds
// lists for the kind.
func Extract(img detect.Image, kps []keypoints.Keypoint, kind string, params keypoints.Params) (*descriptors.Matrix, error) {
	answer := All(img, []Request{{kind, params, kps}})[0]
	return answer.Rows, answer.Err
}
