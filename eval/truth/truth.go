// Package truth finds the keypoints of two images that show the same point,
// given where the points of one image lie in the other. It is pure Go.
package truth

import "descbench/keypoints"

// A Truth is the ground truth of one query.
type Truth struct {
	Row             int32   // row of the candidate nearest to the projected query; -1 if there is none within the limit
	Error           float64 // its PixelError, px; +Inf if there is none
	keypoints.Place         // of the query in the candidates' image
}

// Find returns, for each query, the candidate nearest to its place if it is at
// most maxErrorPx away. maxErrorPx may be +Inf. Of equally near candidates the
// lowest row is taken. Distances are Euclidean and computed in float64 from the
// stored positions. Queries that go to infinity and candidates whose position is
// not finite have no partner.
func Find(queries []keypoints.Place, candidates []keypoints.Keypoint, maxErrorPx float64) []Truth {
	index := keypoints.IndexOf(candidates, maxErrorPx)
	out := make([]Truth, len(queries))
	for i, q := range queries {
		row, px := index.Nearest(q.X, q.Y)
		out[i] = Truth{row, px, q}
	}
	return out
}

// Relevant returns, for each query, the rows of all candidates whose PixelError is at
// most maxErrorPx, ascending. Find returns the nearest of them.
func Relevant(queries []keypoints.Place, candidates []keypoints.Keypoint, maxErrorPx float64) [][]int32 {
	index := keypoints.IndexOf(candidates, maxErrorPx)
	out := make([][]int32, len(queries))
	for i, q := range queries {
		out[i] = index.Within(q.X, q.Y)
	}
	return out
}
