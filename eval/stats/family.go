package stats

import "math"

// significance is the largest corrected p at which a difference is significant.
const significance = 0.05

// SmallestP returns the smallest p that the sign-flip test of Compare can give if
// the descriptors differ in n scenes: 2/2ⁿ, the two patterns in which all signs are
// equal, or that of the random patterns.
func SmallestP(n int) float64 {
	switch {
	case n == 0:
		return 1
	case n > exactScenes:
		return 1. / (1 + randomFlips)
	}
	return math.Ldexp(2, -n)
}

// ScenesNeeded returns how many scenes every one of m comparisons needs, so that
// each could be significant after Holm's correction: m × SmallestP ≤ 0.05.
func ScenesNeeded(m int) int {
	n := 1
	for n < exactScenes && float64(m)*SmallestP(n) > significance {
		n++
	}
	return n
}

// Decidable returns which comparisons to test, given the smallest p that each can
// have. A correction for multiple testing need not count those that could not be
// significant whatever their outcome. If at most k comparisons have a smallest p of
// at most 0.05/k, these are the family, with the smallest such k: each can be
// significant at the first step of Holm's procedure over the family.
//
// The choice does not depend on the outcomes: the smallest p depends on the number
// of differing scenes alone, which exchanging descriptors does not change.
//
// Source: Tarone, A Modified Bonferroni Method for Discrete Data, Biometrics 46,
// 1990.
func Decidable(smallest []float64) []bool {
	in := make([]bool, len(smallest))
	for k := 1; ; k++ {
		n := 0
		for i, p := range smallest {
			in[i] = float64(k)*p <= significance
			if in[i] {
				n++
			}
		}
		if n <= k {
			return in
		}
	}
}
