package extract

import (
	"fmt"
	"maps"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// CanShare reports whether DetectAndDescribe supports the pair: detector and
// descriptor use the same scale space, which is then built once.
func CanShare(detector string, detectorParams keypoints.Params, kind string, kindParams keypoints.Params) bool {
	x, known := extractors[kind]
	if !known || detector != kind {
		return false
	}
	for name, v := range kindParams {
		if of, both := detectorParams[name]; both && of != v {
			return false
		}
	}
	return x.exact == nil || x.exact(kindParams)
}

// SharePays reports whether DetectAndDescribe costs less than Detect and Extract even
// if few of the detected keypoints are described: the kind's scale space costs more
// than the descriptors of all keypoints.
func SharePays(kind string) bool { return extractors[kind].costlySpace }

// DetectAndDescribe returns, bit for bit, what Detect and then Extract on its
// keypoints return, in one pass over the image. It fails unless CanShare.
func DetectAndDescribe(img detect.Image, detector string, detectorParams keypoints.Params, kind string, kindParams keypoints.Params) (keypoints.Set, *descriptors.Matrix, error) {
	if !CanShare(detector, detectorParams, kind, kindParams) {
		return keypoints.Set{}, nil, fmt.Errorf("detector %s (%v) and descriptor %s (%v) do not share a scale space", detector, detectorParams, kind, kindParams)
	}
	if err := detect.Check(img, detector, detectorParams); err != nil {
		return keypoints.Set{}, nil, fmt.Errorf("detect and describe %s: %w", kind, err)
	}
	x := extractors[kind]
	together := x.together
	if together == nil {
		together = detectAndCompute
	}
	both := maps.Clone(kindParams)
	maps.Copy(both, detectorParams)
	found, m, err := together(kind, img, both)
	if err != nil {
		return keypoints.Set{}, nil, fmt.Errorf("detect and describe %s: %w", kind, err)
	}
	m.MarkEmpty()
	return keypoints.Set{Keypoints: found}, m, nil
}
