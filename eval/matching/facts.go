package matching

import (
	"math"

	"descbench/eval"
	"descbench/keypoints"
)

// Facts holds what the metrics of an image pair need in addition to its query
// records. It is computed from the keypoints of both images and the homography.
type Facts struct {
	Repeatability Counts // within TolerancePx

	// CorrectSharedK is the number of correct matches whose keypoint of image K
	// is in the shared region; see the function CorrectSharedK.
	CorrectSharedK int32

	Spread1 float64 // of the keypoints of image 1; NaN without keypoints
	SpreadK float64 // of the keypoints of image K

	Corners []CornerError // one per requested estimator, sorted by name; the same estimators in all pairs
}

// A CornerError is the error of a homography estimated from the matches of a pair:
// the mean distance of the four corners of image 1, mapped by it, from their true
// positions.
type CornerError struct {
	Estimator string
	Px        float64 // in image K; +Inf if the estimation failed
}

// CorrectSharedK returns the number of matches within TolerancePx whose keypoint of
// image K is mapped into image 1 by inverse. matches are the indices of the matched
// queries, size1 the width and height of image 1 in pixels. The matching score uses
// this number for the direction from image K to image 1, and the shared queries for
// the other direction.
func CorrectSharedK(queries []eval.Query, matches []int32, inverse keypoints.Homography, size1 [2]int) int32 {
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
