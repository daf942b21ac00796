// Package detect finds keypoints with OpenCV's detectors, except SURF, which is
// not in OpenCV's main modules (see extract.Detect). It also contains what
// every use of OpenCV in this program needs: the image type, the retrieval of
// OpenCV's error messages, and the properties of OpenCV that affect results.
//
// Limited to one thread, each detector of OpenCV 4.6 finds the same keypoints
// in the same order every time, so keypoints are returned in OpenCV's order.
package detect

import (
	"fmt"

	"descbench/keypoints"
)

// detectors maps each entry of keypoints.Detectors except SURF to its function.
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
		return keypoints.Set{}, fmt.Errorf("unknown OpenCV detector %q", detector)
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

// Check returns an error if img.Check does, or if the detector cannot process
// the image with these parameters. OpenCV's own message for such images is less
// clear or missing.
func Check(img Image, detector string, p keypoints.Params) error {
	if err := img.Check(); err != nil {
		return err
	}
	w, h := img.Width(), img.Height()
	switch detector {
	case "orb":
		if levels := ORBLevels(w, h, p); levels < p.Int("nlevels") {
			return fmt.Errorf("the image of %d×%d px has no pixels at level %d, set nlevels to at most %d", w, h, levels, levels)
		}
	case "brisk":
		// The image is halved octaves-1 times, and so is the layer of two
		// thirds its size.
		if octaves := p.Int("octaves"); octaves > 0 && min(w, h)/3*2>>(octaves-1) == 0 {
			return fmt.Errorf("the image of %d×%d px is too small for %d octaves", w, h, octaves)
		}
	}
	return nil
}
