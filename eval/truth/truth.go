// Package truth finds which keypoints of two images show the same point,
// given the homography between the images. It is pure Go.
package truth

import (
	"math"

	"descbench/keypoints"
)

// A Truth is the ground truth of one query.
type Truth struct {
	Row   int32   // of the candidate nearest to the projected query; -1 if none is near enough
	Error float64 // its distance from the projected query, px; +Inf if there is none
	X, Y  float64 // the projected query, px in the candidates' image
}

// Find returns, for each query, the candidate nearest to its projection by h,
// the lowest row if several are equally near, provided that it is no further
// than maxErrorPx, which may be +Inf. Distances are Euclidean, in float64, of
// the positions as stored. Neither a query that h sends to infinity nor a
// candidate whose position is not finite has a partner.
//
// Within a few pixels it takes O(n log n) steps for n keypoints spread over an
// image, and memory for n wherever they lie.
func Find(h keypoints.Homography, queries, candidates []keypoints.Keypoint, maxErrorPx float64) []Truth {
	index := keypoints.NewIndex(maxErrorPx, len(candidates), func(row int) (x, y float64) {
		return float64(candidates[row].X), float64(candidates[row].Y)
	})
	out := make([]Truth, len(queries))
	for i, q := range queries {
		t := &out[i]
		t.X, t.Y = h.Apply(float64(q.X), float64(q.Y))
		t.Row, t.Error = index.Nearest(t.X, t.Y)
	}
	return out
}

// PixelError returns the distance in pixels from the projected query to the
// candidate, as Find computes it; +Inf if it is not finite.
func (t Truth) PixelError(candidate keypoints.Keypoint) float64 {
	d := keypoints.Distance(t.X, t.Y, float64(candidate.X), float64(candidate.Y))
	if math.IsNaN(d) {
		return math.Inf(1)
	}
	return d
}
