package estimate

import (
	"math"

	"descbench/keypoints"
)

// CornerError returns how far an estimated homography h is from the true one,
// in pixels of the second image: the mean distance between where the two map
// the corners (0, 0), (w−1, 0), (0, h−1), (w−1, h−1) of the first image, which
// is of the given size (DeTone, Malisiewicz, Rabinovich: SuperPoint, CVPR
// workshops 2018, section 7.2). It is infinite if either of them maps a corner
// to infinity.
func CornerError(h, truth keypoints.Homography, width, height int) float64 {
	right, bottom := float64(width-1), float64(height-1)
	sum := 0.0
	for _, corner := range [4][2]float64{{0, 0}, {right, 0}, {0, bottom}, {right, bottom}} {
		x, y := h.Apply(corner[0], corner[1])
		tx, ty := truth.Apply(corner[0], corner[1])
		sum += math.Hypot(x-tx, y-ty)
	}
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum / 4
}
