package extract

import (
	"fmt"

	"descbench/descriptors/surf"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// Detect returns the keypoints that a detector of keypoints.Detectors finds in
// an image, in the detector's order. It is detect.Detect, except for SURF,
// which package surf detects and describes with the same code.
func Detect(img detect.Image, detector string, params keypoints.Params) (keypoints.Set, error) {
	if detector != "surf" {
		return detect.Detect(img, detector, params)
	}
	err := img.Check()
	var gray *surf.Gray
	if err == nil {
		gray, err = surfGray(img)
	}
	if err != nil {
		return keypoints.Set{}, fmt.Errorf("detect surf: %w", err)
	}
	return keypoints.Set{Keypoints: surf.Detect(gray, params)}, nil
}
