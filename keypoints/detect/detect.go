// Package detect finds keypoints with OpenCV's detectors, and holds what every
// use of OpenCV in this program needs beside: the image type, the way to learn
// why OpenCV refused, and the facts about OpenCV on which results depend.
package detect

import (
	"fmt"

	"descbench/keypoints"
)

// detectors holds what runs each entry of keypoints.Detectors that is
// OpenCV's. What one returns is in OpenCV's order.
var detectors = map[string]func(Image, keypoints.Params) ([]keypoints.Keypoint, error){
	"sift": detectSIFT,
}

// Detect returns the keypoints that a detector finds in an image, in the
// detector's order. An image without keypoints gives an empty set. params must
// hold every parameter that keypoints.Detectors lists for the detector.
func Detect(img Image, detector string, params keypoints.Params) (keypoints.Set, error) {
	detect, ok := detectors[detector]
	if !ok {
		return keypoints.Set{}, fmt.Errorf("detector %q is not one of OpenCV's known here", detector)
	}
	if err := img.Check(); err != nil {
		return keypoints.Set{}, fmt.Errorf("detect %s: %w", detector, err)
	}
	found, err := detect(img, params)
	if err != nil {
		return keypoints.Set{}, fmt.Errorf("detect %s: %w", detector, err)
	}
	return keypoints.Set{Keypoints: found}, nil
}
