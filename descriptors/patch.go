package descriptors

import "descbench/keypoints"

// PatchSide is the width and height, in px, of a patch of the HPatches patch
// benchmark.
const PatchSide = 65

// BaselinePatch is the width of the patches of the HPatches benchmark, and of those that
// the kinds mstd and resz describe, in keypoint sizes.
const BaselinePatch = 5

// A PatchFit defines how a kind of descriptor describes a patch: with one
// upright keypoint at the centre, whose size makes the kind's window fit the
// patch. Kinds that OpenCV keeps away from the image border get a margin around
// the patch that repeats its outermost pixels; their window does not cover the
// margin.
type PatchFit struct {
	Size   float64 // keypoint size, px; 0: unknown
	First  float64 // keypoint size of the first level, px, if only sizes from there on determine the level; otherwise 0
	Margin int     // px on every side
	Scaled string  // name of the parameter that multiplies the window, if any
	Why    string
}

// Window returns the side of the window of the kind with these parameters, in keypoint sizes; 0
// if it is unknown.
func (k Kind) Window(p keypoints.Params) float64 {
	switch {
	case k.Patch.Size == 0:
		return 0
	case k.Patch.Scaled != "":
		return PatchSide / k.Patch.Size * p.Float(k.Patch.Scaled)
	}
	return PatchSide / k.Patch.Size
}

// PatchKeypoint returns the keypoint of the kind's PatchFit in a patch without
// margin whose pixel centres are at integers. Its octave, layer or class is the
// one that the detector with these parameters would set.
func (k Kind) PatchKeypoint(p keypoints.Params) keypoints.Keypoint {
	const centre = (PatchSide - 1) / 2
	point := keypoints.Keypoint{X: centre, Y: centre, Response: 1, ClassID: -1}
	if k.Patch.First > 0 {
		point.Size, point.ClassID = float32(k.Patch.First), 0
	}
	return k.Resizer(p)(point, float32(k.Patch.Size))
}

// A PatchCut says how to cut the patch around a keypoint for a program.
type PatchCut struct {
	// InputSize is the side of the patch in pixels. A batch has the shape
	// patches × channels × InputSize × InputSize.
	InputSize int
	// Magnification is the ratio of the patch side in the image to the
	// keypoint's size. 6 is the width of SIFT's descriptor: 4 cells of 3σ,
	// where σ is half the size.
	Magnification float64
	Channels      string // of a pixel, in the order of the input: gray, bgr or rgb
	// Mean and Std map pixels v from 0 to 255 to those of the patch: (v −
	// Mean) / Std. Each holds one number, or one per channel; nil with Standardize.
	Mean, Std []float64
	// Standardize uses the mean and standard deviation of each patch, over all
	// its channels, instead of Mean and Std. A patch of equal values then has
	// zero deviation, and its row is invalid.
	Standardize bool
	// Upright keeps patches aligned with the image axes; otherwise they are
	// rotated by the keypoint's angle.
	Upright bool
	// Batch is the largest number of patches that the program gets at once.
	Batch int
}

// DefaultPatchCut cuts patches of 32×32 grey pixels from 0 to 1.
func DefaultPatchCut() PatchCut {
	return PatchCut{InputSize: 32, Magnification: 6, Channels: "gray", Mean: []float64{0}, Std: []float64{255}, Batch: 64}
}

// Planes returns the number of channels per pixel.
func (n PatchCut) Planes() int {
	if n.Channels == "gray" {
		return 1
	}
	return 3
}
