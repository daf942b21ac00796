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
	"io"
	"maps"

	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// A detector is an object of OpenCV that detects keypoints.
type detector interface {
	io.Closer
	gocv.Feature2DDetector
}

// detectors maps each entry of keypoints.Detectors except SURF to what makes OpenCV's
// object, with the parameters of the detector and, if it also describes, the descriptor.
var detectors = map[string]func(keypoints.Params) detector{
	"sift":  newSIFT,
	"orb":   newORB,
	"akaze": newAKAZE,
	"kaze":  newKAZE,
	"brisk": newBRISK,
	"fast":  newFAST,
	"agast": newAGAST,
	"gftt":  newGFTT,
	"mser":  newMSER,
}

// Open returns OpenCV's object of a detector that also describes: sift, orb, akaze, kaze
// or brisk. p may hold the parameters of the detector, the descriptor or both; missing
// ones get their defaults. The caller closes the object.
func Open(name string, p keypoints.Params) gocv.Feature2D {
	return detectors[name](complete(name, p)).(gocv.Feature2D)
}

// describing holds the defaults of parameters of descriptors that are not those of the detector.
var describing = map[string]keypoints.Params{
	"akaze": {"descriptor_size": int64(0)},
	"kaze":  {"extended": false, "upright": false},
}

// Detect returns the keypoints that a detector finds in an image, in the
// detector's order. An image without keypoints gives an empty set. params must
// hold every parameter that keypoints.Detectors lists for the detector.
func Detect(img Image, detector string, params keypoints.Params) (keypoints.Set, error) {
	err := Check(img, detector, params)
	var found []keypoints.Keypoint
	if err == nil {
		found, err = find(img, detector, params)
	}
	if err != nil {
		return keypoints.Set{}, fmt.Errorf("detect %s: %w", detector, err)
	}
	return keypoints.Set{Keypoints: found}, nil
}

func find(img Image, name string, p keypoints.Params) ([]keypoints.Keypoint, error) {
	open, ok := detectors[name]
	if !ok {
		return nil, fmt.Errorf("unknown OpenCV detector %q", name)
	}
	object := open(complete(name, p))
	defer object.Close()
	plane := img.Gray
	if name == "mser" && p.Choice("image") == "color" {
		plane = img.BGR
	}
	var found []gocv.KeyPoint
	err := Call(func() bool {
		found = object.Detect(plane)
		return len(found) > 0
	})
	return FromOpenCV(found), err
}

// complete returns all parameters of an object that both detects and describes. Values come
// from p, which may hold the parameters of the detector, the descriptor or both; missing ones
// get their defaults.
func complete(detector string, p keypoints.Params) keypoints.Params {
	d, _ := keypoints.FindDetector(detector)
	all := keypoints.Defaults(d.Params)
	maps.Copy(all, describing[detector])
	maps.Copy(all, p)
	return all
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
