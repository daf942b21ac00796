package truth

import (
	"cmp"
	"slices"
	"sort"

	"descbench/keypoints"
)

// Relevant returns, for each query, the rows of all candidates whose PixelError is at
// most maxErrorPx, ascending. Find returns the nearest of them.
func Relevant(h keypoints.Homography, queries, candidates []keypoints.Keypoint, maxErrorPx float64) [][]int32 {
	byX := make([]int32, 0, len(candidates))
	for row, c := range candidates {
		if x := float64(c.X); x-x == 0 { // finite
			byX = append(byX, int32(row))
		}
	}
	slices.SortFunc(byX, func(a, b int32) int { return cmp.Compare(candidates[a].X, candidates[b].X) })
	reach := maxErrorPx*(1+1e-12) + 1e-9 // more than the rounding errors of PixelError
	out := make([][]int32, len(queries))
	for i, q := range queries {
		var t Truth
		t.X, t.Y = h.Apply(float64(q.X), float64(q.Y))
		from := sort.Search(len(byX), func(i int) bool { return float64(candidates[byX[i]].X) >= t.X-reach })
		for _, row := range byX[from:] {
			if float64(candidates[row].X) > t.X+reach {
				break
			}
			if t.PixelError(candidates[row]) <= maxErrorPx {
				out[i] = append(out[i], row)
			}
		}
		slices.Sort(out[i])
	}
	return out
}
