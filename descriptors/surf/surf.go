// Package surf detects and describes keypoints with SURF. It is pure Go.
//
// The method is that of Bay, Ess, Tuytelaars, Van Gool, "Speeded-Up Robust
// Features (SURF)", Computer Vision and Image Understanding 110(3), 2008. The
// paper leaves sampling, rounding and interpolation open; here they are those
// of OpenCV 4.6 (xfeatures2d), and so are the parameters and the attributes
// and order of the keypoints, so that a result can be held against one of
// OpenCV. To agree to the last bit, sums are taken in OpenCV's precision
// (mostly float32) and order. Products are converted explicitly before they
// are added: a compiler may otherwise fuse the two operations, and the values
// would depend on the machine.
package surf

import (
	"fmt"
	"math"

	"descbench/descriptors"
	"descbench/keypoints"
)

// Params are OpenCV's parameters of SURF.
type Params struct {
	HessianThreshold float64 // a keypoint's determinant of the Hessian is above it; at least 0
	NOctaves         int     // octaves of filter sizes, at least 1
	NOctaveLayers    int     // layers searched in each octave, at least 1
	Extended         bool    // rows of 128 elements instead of 64
	Upright          bool    // orientation is not measured, every angle is 270°
}

func (p Params) check() error {
	switch {
	case !(p.HessianThreshold >= 0 && p.HessianThreshold <= math.MaxFloat32):
		return fmt.Errorf("surf: Hessian threshold is %v, want a finite number of at least 0", p.HessianThreshold)
	case p.NOctaves < 1:
		return fmt.Errorf("surf: number of octaves is %d, want at least 1", p.NOctaves)
	case p.NOctaveLayers < 1:
		return fmt.Errorf("surf: number of layers per octave is %d, want at least 1", p.NOctaveLayers)
	}
	return nil
}

// Detect returns the keypoints of the image, strongest first. Their size is
// the side of the box filter in pixels, interpolated and rounded; the response
// is the determinant of the Hessian; octaves count from 0; the class is the
// sign of the Laplacian (1: dark on bright, -1: bright on dark). Keypoints that
// Describe would mark invalid for want of an orientation are left out. An
// image smaller than the filters has no keypoints.
func Detect(gray *Gray, p Params) ([]keypoints.Keypoint, error) {
	if err := check(gray, p); err != nil {
		return nil, err
	}
	return detect(gray, p), nil
}

// Describe describes the given keypoints, of which it uses position and size.
// It returns them, row by row, with the orientation measured anew, and a
// Float32 matrix of as many rows of unit L2 norm. A keypoint that cannot be
// described keeps its row, zero and marked invalid, and gets the angle -1: its
// position is outside the image, its size too small for one pixel of the
// window or too large for the image, or one of them is not finite, or no
// gradient can be sampled near it. The row of a keypoint without any contrast
// around it is zero and invalid too.
func Describe(gray *Gray, kps []keypoints.Keypoint, p Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	if err := check(gray, p); err != nil {
		return nil, nil, err
	}
	out := make([]keypoints.Keypoint, len(kps))
	o := newOrienter(gray, p.Upright, nil)
	for i, kp := range kps {
		out[i] = kp
		out[i].Angle = noAngle
		if angle, ok := o.angle(kp); ok {
			out[i].Angle = angle
		}
	}
	return out, describe(gray, out, p), nil
}

// DetectAndDescribe returns the keypoints that Detect returns and the rows
// that Describe would return for them.
func DetectAndDescribe(gray *Gray, p Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	if err := check(gray, p); err != nil {
		return nil, nil, err
	}
	kps := detect(gray, p)
	return kps, describe(gray, kps, p), nil
}

func check(gray *Gray, p Params) error {
	if err := gray.check(); err != nil {
		return err
	}
	return p.check()
}

// noAngle is the angle of a keypoint that cannot be described.
const noAngle = -1

func detect(gray *Gray, p Params) []keypoints.Keypoint {
	sum := newIntegral(gray)
	found := findBlobs(sum, p)
	o := newOrienter(gray, p.Upright, sum)
	kept := found[:0]
	for _, kp := range found {
		if angle, ok := o.angle(kp); ok {
			kp.Angle = angle
			kept = append(kept, kp)
		}
	}
	return kept
}
