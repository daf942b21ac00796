package extract

import (
	"fmt"
	"maps"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// A pass detects and describes in one call with compatible parameters.
type pass struct {
	exact func(kind keypoints.Params) bool // whether the rows equal Extract's; nil: always
	run   func(img detect.Image, detector, kind keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error)
}

// passes maps the common name of a detector and a descriptor kind to the pass
// that builds their scale space only once.
var passes = map[string]pass{
	"sift": {
		exact: func(p keypoints.Params) bool { return p.Choice("pyramid") == "full" }, // the detector's pyramid is always full
		run:   detectAndDescribeSIFT,
	},
	"surf": {run: detectAndDescribeSURF},
	"orb": {
		// Extract alone does not describe keypoints of an enlarged level near
		// the border.
		exact: func(p keypoints.Params) bool { return p.Int("first_level") == 0 },
		run:   detectAndDescribeORB,
	},
	"brisk": {run: detectAndDescribeBRISK},
	"akaze": {run: detectAndDescribeAKAZE},
	"kaze": {
		exact: func(p keypoints.Params) bool { return p.Choice("gradients") == "detector" },
		run:   detectAndDescribeKAZE,
	},
}

// CanShare reports whether DetectAndDescribe supports the pair: detector and
// descriptor use the same scale space, which is then built once.
func CanShare(detector string, detectorParams keypoints.Params, kind string, kindParams keypoints.Params) bool {
	p, ok := passes[kind]
	if !ok || detector != kind {
		return false
	}
	for name, v := range kindParams {
		if of, both := detectorParams[name]; both && of != v {
			return false
		}
	}
	return p.exact == nil || p.exact(kindParams)
}

// DetectAndDescribe returns, bit for bit, what Detect and then Extract on its
// keypoints return, in one pass over the image. It fails unless CanShare.
func DetectAndDescribe(img detect.Image, detector string, detectorParams keypoints.Params, kind string, kindParams keypoints.Params) (keypoints.Set, *descriptors.Matrix, error) {
	if !CanShare(detector, detectorParams, kind, kindParams) {
		return keypoints.Set{}, nil, fmt.Errorf("detector %s (%v) and descriptor %s (%v) do not share a scale space", detector, detectorParams, kind, kindParams)
	}
	if err := detect.Check(img, detector, detectorParams); err != nil {
		return keypoints.Set{}, nil, fmt.Errorf("detect and describe %s: %w", kind, err)
	}
	found, m, err := passes[kind].run(img, detectorParams, kindParams)
	if err != nil {
		return keypoints.Set{}, nil, fmt.Errorf("detect and describe %s: %w", kind, err)
	}
	return keypoints.Set{Keypoints: found}, descriptors.MarkInvalid(m), nil
}

// union merges the parameters of a detector and a kind.
func union(detector, kind keypoints.Params) keypoints.Params {
	both := maps.Clone(kind)
	maps.Copy(both, detector)
	return both
}
