package descriptors

import "descbench/keypoints"

// PatchSide is the width and height, in px, of a patch of the HPatches patch
// benchmark.
const PatchSide = 65

// BaselinePatch is the width of the patch that the kinds mstd and resz describe, in
// keypoint sizes, as of the patches of the HPatches benchmark.
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
