package extract

import (
	"fmt"
	"maps"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// A pass detects and describes at once, on parameters that agree.
type pass struct {
	exact func(kind keypoints.Params) bool // whether the rows are Extract's; nil: always
	run   func(img detect.Image, detector, kind keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error)
}

// passes holds, by the name that detector and kind have in common, those pairs
// whose scale space need be built only once.
var passes = map[string]pass{
	"sift": {
		exact: func(p keypoints.Params) bool { return p.Choice("pyramid") == "full" }, // the detector's pyramid always is
		run:   detectAndDescribeSIFT,
	},
	"surf": {run: detectAndDescribeSURF},
	"orb": {
		// By itself OpenCV describes no enlarged level's keypoints at the border.
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

// CanShare reports whether DetectAndDescribe takes the pair: whether detector
// and descriptor are of one scale space, which is then built once.
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

// DetectAndDescribe returns what Detect and Extract of its keypoints return,
// bit by bit, in one pass over the image. It fails unless CanShare.
func DetectAndDescribe(img detect.Image, detector string, detectorParams keypoints.Params, kind string, kindParams keypoints.Params) (keypoints.Set, *descriptors.Matrix, error) {
	if !CanShare(detector, detectorParams, kind, kindParams) {
		return keypoints.Set{}, nil, fmt.Errorf("detector %s (%v) and descriptor %s (%v) have no pyramid in common", detector, detectorParams, kind, kindParams)
	}
	if err := detect.Check(img, detector, detectorParams); err != nil {
		return keypoints.Set{}, nil, fmt.Errorf("detect and describe %s: %w", kind, err)
	}
	found, m, err := passes[kind].run(img, detectorParams, kindParams)
	if err != nil {
		return keypoints.Set{}, nil, fmt.Errorf("detect and describe %s: %w", kind, err)
	}
	m.MarkEmpty()
	return keypoints.Set{Keypoints: found}, m, nil
}

// union returns the parameters of both.
func union(detector, kind keypoints.Params) keypoints.Params {
	both := maps.Clone(kind)
	maps.Copy(both, detector)
	return both
}
