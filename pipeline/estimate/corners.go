package estimate

import (
	"math"

	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/keypoints"
)

// CornerError returns the corner error of an estimated homography h, in pixels of
// the second image: h and truth map the corners (0, 0), (w−1, 0), (0, h−1),
// (w−1, h−1) of the first image, which has the given size, and the corner error
// is the mean distance between the results (DeTone, Malisiewicz, Rabinovich:
// SuperPoint, CVPR workshops 2018, section 7.2). It is infinite if h or truth
// maps a corner to infinity.
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

// cornerErrorOf returns the corner error of an estimate of a pair as the estimator
// measures it.
func cornerErrorOf(e matching.Estimator, h, truth keypoints.Homography, pair *record.Pair) float64 {
	width, height := int(pair.Width1), int(pair.Height1)
	if e.OuterCorners {
		width, height = width+1, height+1 // as if (w, h) were the centre of a pixel
	}
	px := CornerError(h, truth, width, height)
	if e.ScaledError {
		px /= scaleOf(pair)
	}
	return px
}

// scaleOf returns the short side of image K by that of a scaled image.
func scaleOf(pair *record.Pair) float64 {
	return float64(min(pair.WidthK, pair.HeightK)) / matching.ScaleSide
}
