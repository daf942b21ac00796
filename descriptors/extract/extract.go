// Package extract describes keypoints with OpenCV's extractors. It yields raw
// rows, one per keypoint and in their order; rooting, normalisation and fusion
// are package descriptors'.
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
const Version = 1

// extractors holds what computes each entry of descriptors.Kinds that is
// OpenCV's. A row that it leaves at zero is invalid.
var extractors = map[string]func(detect.Image, []keypoints.Keypoint, keypoints.Params) (*descriptors.Matrix, error){
	"sift":    extractSIFT,
	"rgbsift": extractRGBSIFT,
}

// Extract returns the raw descriptors of the keypoints, row i being that of
// kps[i]. A keypoint that cannot be described has a row of zeros, marked
// invalid, and so has one whose surroundings are without texture. params must
// hold every parameter that descriptors.Kinds lists for the kind.
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
	markZeroRows(m)
	return m, nil
}

// markZeroRows marks the rows of norm zero as invalid.
func markZeroRows(m *descriptors.Matrix) {
	for i := range m.Rows {
		if !allZero(m.Uint8[i*m.Dim : (i+1)*m.Dim]) {
			continue
		}
		if m.Invalid == nil {
			m.Invalid = make([]bool, m.Rows)
		}
		m.Invalid[i] = true
	}
}

func allZero(row []uint8) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}
