package descriptors

import "descbench/keypoints"

// PatchSide is the width and height, in px, of a patch of the HPatches patch
// benchmark.
const PatchSide = 65

// A PatchFit defines the keypoint that a descriptor kind uses on a patch: one upright
// keypoint at the centre, with a size for which the kind's window fits the patch.
// OpenCV keeps some kinds away from the image border. For these kinds the patch gets
// a margin that repeats its outermost pixels; the window does not cover the margin.
type PatchFit struct {
	Size   float64 // of the keypoint, px; 0 if unknown
	First  float64 // size of first-level keypoints, px, for kinds that derive levels relative to it; else 0
	Margin int     // px on each side
	Why    string
}

// PatchKeypoint returns the keypoint of the kind's PatchFit in a patch without margin.
// Pixel centres are at integers. The keypoint has the octave, layer or class that the
// detector with these parameters would assign to it.
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
