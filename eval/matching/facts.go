package matching

import (
	"fmt"
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
// image K is mapped into image 1 by inverse. b holds the keypoints of image K,
// size1 the width and height of image 1 in pixels. The matching score uses this
// number for the direction from image K to image 1, and the shared queries for the
// other direction. It fails if a match refers to a row that b does not have.
func CorrectSharedK(queries []eval.Query, inverse keypoints.Homography, b []keypoints.Keypoint, size1 [2]int) (int32, error) {
	count := int32(0)
	for i := range queries {
		q := &queries[i]
		if !correct(q, TolerancePx) {
			continue
		}
		if int(q.Nearest) >= len(b) {
			return 0, fmt.Errorf("%s: %s/1_%d: row %d: nearest neighbour is row %d of %d", q.Descriptor, q.Scene, q.K, q.Row, q.Nearest, len(b))
		}
		k := b[q.Nearest]
		if x, y := inverse.Apply(float64(k.X), float64(k.Y)); inside(x, y, size1) {
			count++
		}
	}
	return count, nil
}

// matched reports whether the query has a mutual nearest neighbour.
func matched(q *eval.Query) bool { return q.Mutual && q.Nearest >= 0 }

// correct reports whether the query has a match within the tolerance.
func correct(q *eval.Query, tolerancePx float64) bool {
	return matched(q) && q.NearestError <= tolerancePx
}

// mean returns sum / n, NaN if n is 0.
func mean(sum float64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
