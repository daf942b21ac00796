package keypoints

import "math"

// Max returns the detector's own limit on the number of keypoints per image, and
// the parameter that sets it. max is 0 if there is no limit.
func (d Detector) Max(p Params) (param string, max int) {
	if d.limit == "" {
		return "", 0
	}
	return d.limit, p.Int(d.limit)
}

// Limited reports whether the detector's own limit kept it from returning more
// keypoints of an image than those in s.
func (d Detector) Limited(s Set, p Params) bool {
	if _, max := d.Max(p); max == 0 || d.Name != "orb" {
		return max > 0 && s.Len() >= max
	}
	found := make(map[int]int)
	for _, k := range s.Keypoints {
		found[int(k.Octave)]++
	}
	for level, max := range orbShares(p) {
		if found[level] >= max {
			return true
		}
	}
	return false
}

// orbShares returns the limit of each of ORB's pyramid levels, as OpenCV shares out
// nfeatures (orb.cpp, computeKeyPoints). A level without enough corners leaves its
// share unused.
func orbShares(p Params) []int {
	n, levels := p.Int("nfeatures"), p.Int("nlevels")
	factor := 1 / p.Float("scale_factor")
	share := float64(n) * (1 - factor) / (1 - math.Pow(factor, float64(levels)))
	shares := make([]int, levels)
	left := n
	for level := range levels - 1 {
		shares[level] = int(math.RoundToEven(share))
		left -= shares[level]
		share *= factor
	}
	shares[levels-1] = max(left, 0)
	return shares
}
