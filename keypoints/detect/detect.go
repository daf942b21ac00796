// Package detect finds keypoints with OpenCV's detectors, all but SURF, which is
// outside OpenCV's main modules (extract.Detect has it). It also holds what
// every use of OpenCV in this program needs: the image type, the way to learn
// why OpenCV refused, and the facts about OpenCV on which results depend.
//
// Held to one thread, each of OpenCV 4.6's detectors finds the same keypoints
// in the same order again, so what one returns is in OpenCV's order.
package detect

import (
	"fmt"

	"descbench/keypoints"
)

// detectors holds what runs each entry of keypoints.Detectors but SURF.
var detectors = map[string]func(Image, keypoints.Params) ([]keypoints.Keypoint, error){
	"sift":  detectSIFT,
	"orb":   detectORB,
	"akaze": detectAKAZE,
	"kaze":  detectKAZE,
	"brisk": detectBRISK,
	"fast":  detectFAST,
	"agast": detectAGAST,
	"gftt":  detectGFTT,
	"mser":  detectMSER,
}

// Detect returns the keypoints that a detector finds in an image, in the
// detector's order. An image without keypoints gives an empty set. params must
// hold every parameter that keypoints.Detectors lists for the detector.
func Detect(img Image, detector string, params keypoints.Params) (keypoints.Set, error) {
	detect, ok := detectors[detector]
	if !ok {
		return keypoints.Set{}, fmt.Errorf("detector %q is not one of OpenCV's known here", detector)
	}
	if err := Check(img, detector, params); err != nil {
		return keypoints.Set{}, fmt.Errorf("detect %s: %w", detector, err)
	}
	found, err := detect(img, params)
	if err != nil {
		return keypoints.Set{}, fmt.Errorf("detect %s: %w", detector, err)
	}
	return keypoints.Set{Keypoints: found}, nil
}

// Check returns an error if img.Check does, or if the detector cannot look at
// the image with these parameters, of which OpenCV would speak less clearly or
// not at all.
func Check(img Image, detector string, p keypoints.Params) error {
	if err := img.Check(); err != nil {
		return err
	}
	w, h := img.Width(), img.Height()
	switch detector {
	case "orb":
		if levels := ORBLevels(w, h, p); levels < p.Int("nlevels") {
			return fmt.Errorf("the image of %d×%d px has no pixel at level %d, want at most %d for nlevels", w, h, levels, levels)
		}
	case "brisk":
		// The image is halved octaves-1 times, and so is the layer of two
		// thirds its size.
		if octaves := p.Int("octaves"); octaves > 0 && min(w, h)/3*2>>(octaves-1) == 0 {
			return fmt.Errorf("the image of %d×%d px is too small for %d octaves", w, h, octaves)
		}
	case "gftt":
		return checkOdd(p, "gradient_size")
	case "mser":
		return checkOdd(p, "edge_blur_size")
	}
	return nil
}

// checkOdd returns an error if the parameter of that name is even.
func checkOdd(p keypoints.Params, name string) error {
	if v := p.Int(name); v%2 == 0 {
		return fmt.Errorf("%s is %d, want an odd number", name, v)
	}
	return nil
}
