package descriptors

import "descbench/keypoints"

// PatchSide is the width and height, in px, of a patch of the HPatches patch
// benchmark.
const PatchSide = 65

// A PatchFit is how a kind of descriptor looks at a patch: by one upright
// keypoint at the centre, of a size at which the kind's window fits the patch.
// Kinds that OpenCV keeps away from an image's border see the patch with a margin
// that repeats its outermost pixels, of which their window covers none.
type PatchFit struct {
	Size   float64 // of the keypoint, px; 0: none is known
	First  float64 // of the first level's keypoints, px, where sizes tell levels only from there; else 0
	Margin int     // px on every side
	Why    string
}

// PatchKeypoint returns the keypoint of the kind's PatchFit, in a patch without
// margin whose pixel centres are at integers, with the octave, layer or class
// that the detector of these parameters would give it.
func (k Kind) PatchKeypoint(p keypoints.Params) keypoints.Keypoint {
	const centre = (PatchSide - 1) / 2
	point := keypoints.Keypoint{X: centre, Y: centre, Response: 1, ClassID: -1}
	if k.Patch.First > 0 {
		point.Size, point.ClassID = float32(k.Patch.First), 0
	}
	if resize := k.Resizer(p); resize != nil {
		return resize(point, float32(k.Patch.Size))
	}
	point.Size = float32(k.Patch.Size)
	return point
}
