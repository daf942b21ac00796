package extract

import (
	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// extractAKAZE describes keypoints in the level of the nonlinear scale space
// given by their class. OpenCV uses their angle unchanged.
func extractAKAZE(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	layers := p.Int("n_octave_layers")
	levels := layers * akazeOctaves(img.Width(), img.Height(), p)
	q := ofLevels(img, kps, func(k keypoints.Keypoint) bool {
		return k.ClassID >= 0 && int(k.ClassID) < levels && int(k.Octave) == int(k.ClassID)/layers
	})
	return compute("akaze", img.Gray, len(kps), p, q)
}

// akazeOctaves returns the number of octaves of OpenCV's AKAZE for an image of
// w×h px. Each octave halves the image, and all octaves after the first are at
// least 80×40 px (AKAZEFeatures.cpp, Allocate_Memory_Evolution).
func akazeOctaves(w, h int, p keypoints.Params) int {
	for octave := 1; octave < p.Int("n_octaves"); octave++ {
		if w>>octave < 80 || h>>octave < 40 {
			return octave
		}
	}
	return p.Int("n_octaves")
}
