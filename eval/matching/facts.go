package matching

import (
	"fmt"
	"math"

	"descbench/eval"
	"descbench/keypoints"
)

// Facts are what the figures of an image pair need beside its query records:
// counts that take the keypoints of both images and the homography.
type Facts struct {
	Repeatability Counts // within TolerancePx

	// CorrectSharedK counts the correct matches whose keypoint of image K lies
	// in the shared region, as the function of that name does.
	CorrectSharedK int32

	Spread1 float64 // of the keypoints of image 1; NaN if there are none
	SpreadK float64 // of those of image K

	Corners []CornerError // one per estimator that was asked for, by name; the same ones for all pairs
}

// A CornerError is how far a homography estimated from the matches of a pair is
// from the true one: the mean distance of the four corners of image 1.
type CornerError struct {
	Estimator string
	Px        float64 // in image K; +Inf if the estimation failed
}

// CorrectSharedK counts the matches within TolerancePx whose keypoint of image K,
// one of b, is mapped by inverse into image 1, which has the given width and
// height in pixels. With the Shared matches of the queries, it gives the
// matching score its two directions. It fails if a match is with no row of b.
func CorrectSharedK(queries []eval.Query, inverse keypoints.Homography, b []keypoints.Keypoint, size1 [2]int) (int32, error) {
	count := int32(0)
	for i := range queries {
		q := &queries[i]
		if !correct(q, TolerancePx) {
			continue
		}
		if int(q.Nearest) >= len(b) {
			return 0, fmt.Errorf("%s: %s/1_%d: row %d: nearest is row %d of %d", q.Descriptor, q.Scene, q.K, q.Row, q.Nearest, len(b))
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
