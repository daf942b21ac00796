package truth

import "descbench/keypoints"

// Relevant returns, for each query, the rows of all candidates whose PixelError is at
// most maxErrorPx, ascending. Find returns the nearest of them.
func Relevant(h keypoints.Homography, queries, candidates []keypoints.Keypoint, maxErrorPx float64) [][]int32 {
	index := keypoints.IndexOf(candidates, maxErrorPx)
	out := make([][]int32, len(queries))
	for i, q := range queries {
		out[i] = index.Within(h.Apply(float64(q.X), float64(q.Y)))
	}
	return out
}
