// Package truth finds the keypoints of two images that show the same point,
// given the homography between the images. It is pure Go.
package truth

import (
	"math"

	"descbench/keypoints"
)

// A Truth is the ground truth of one query.
type Truth struct {
	Row   int32   // row of the candidate nearest to the projected query; -1 if there is none within the limit
	Error float64 // its distance from the projected query, px; +Inf if there is none
	X, Y  float64 // the projected query, px in the candidates' image
}

// Find returns, for each query, the candidate nearest to its projection by h if
// it is at most maxErrorPx away. maxErrorPx may be +Inf. Of equally near
// candidates the lowest row is taken. Distances are Euclidean and computed in
// float64 from the stored positions. Queries that h maps to infinity and
// candidates whose position is not finite have no partner.
func Find(h keypoints.Homography, queries, candidates []keypoints.Keypoint, maxErrorPx float64) []Truth {
	index := keypoints.IndexOf(candidates, maxErrorPx)
	out := make([]Truth, len(queries))
	for i, q := range queries {
		t := &out[i]
		t.X, t.Y = h.Apply(float64(q.X), float64(q.Y))
		t.Row, t.Error = index.Nearest(t.X, t.Y)
	}
	return out
}

// PixelError returns the distance in pixels from the projected query to the
// candidate, as computed by Find. It returns +Inf if the distance is not
// finite.
func (t Truth) PixelError(candidate keypoints.Keypoint) float64 {
	d := keypoints.Distance(t.X, t.Y, float64(candidate.X), float64(candidate.Y))
	if math.IsNaN(d) {
		return math.Inf(1)
	}
	return d
}
