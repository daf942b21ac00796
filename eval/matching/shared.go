package matching

import (
	"math"

	"descbench/eval/record"
	"descbench/keypoints"
)

// CorrectSharedK returns the number of matches within TolerancePx whose keypoint of
// image K is mapped into image 1 by inverse. matches are the indices of the matched
// queries, size1 the width and height of image 1 in pixels. The matching score uses
// this number for the direction from image K to image 1, and the shared queries for
// the other direction.
func CorrectSharedK(queries []record.Query, matches []int32, inverse keypoints.Homography, size1 [2]int) int32 {
	count := int32(0)
	for _, i := range matches {
		q := &queries[i]
		if q.NearestError > TolerancePx {
			continue
		}
		if x, y := inverse.Apply(float64(q.NearestX), float64(q.NearestY)); inside(x, y, size1) {
			count++
		}
	}
	return count
}

// mean returns sum / n, NaN if n is 0.
func mean(sum float64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
