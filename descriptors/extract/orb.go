package extract

import (
	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// extractORB describes keypoints by the patch around them in the pyramid level
// given by their octave. OpenCV drops keypoints at the border and sorts the
// others by level.
func extractORB(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	q := queryOf(kps, describableByORB(img, p))
	q.tag()
	for i := range q.given {
		if q.given[i].Angle == keypoints.NoAngle {
			q.given[i].Angle = 0 // upright; OpenCV would use -1 as an angle
		}
	}
	return compute("orb", img.Gray, len(kps), p, q)
}

// describableByORB returns a function that reports whether a keypoint can be
// described with ORB's pyramid. Without this check OpenCV builds as many levels
// as the largest octave requires, even for SIFT's packed octaves, and reads
// outside an image without a border.
func describableByORB(img detect.Image, p keypoints.Params) func(keypoints.Keypoint) bool {
	w, h := img.Width(), img.Height()
	levels := detect.ORBLevels(w, h, p)
	inside := keypoints.Border{Rule: keypoints.HalfOpen}
	return func(k keypoints.Keypoint) bool {
		return k.Finite() && k.Octave >= 0 && int(k.Octave) < levels && inside.Contains(k.X, k.Y, w, h)
	}
}
