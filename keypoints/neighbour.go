package keypoints

import (
	"cmp"
	"math"
	"slices"
)

// NeighbourDistances returns the distance of each keypoint to the nearest other one,
// px: 0 if another one is at the same position. It is NaN for keypoints whose position
// is not finite, and for a single keypoint.
func (s Set) NeighbourDistances() []float64 {
	out := make([]float64, s.Len())
	var byX []int
	for row, k := range s.Keypoints {
		out[row] = math.NaN()
		if finite(float64(k.X)) && finite(float64(k.Y)) {
			byX = append(byX, row)
		}
	}
	slices.SortFunc(byX, func(a, b int) int { return cmp.Compare(s.Keypoints[a].X, s.Keypoints[b].X) })
	for i, row := range byX {
		k := s.Keypoints[row]
		best := math.Inf(1)
		// From the keypoint outwards, until the x distance alone is too large.
		for _, step := range []int{-1, 1} {
			for j := i + step; j >= 0 && j < len(byX); j += step {
				other := s.Keypoints[byX[j]]
				if math.Abs(float64(other.X)-float64(k.X)) >= best {
					break
				}
				best = min(best, Distance(float64(k.X), float64(k.Y), float64(other.X), float64(other.Y)))
			}
		}
		if !math.IsInf(best, 1) {
			out[row] = best
		}
	}
	return out
}
