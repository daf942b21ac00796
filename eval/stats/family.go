package stats

import (
	"math"
	"slices"
)

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
// significant whatever their outcome. The family is the largest set of comparisons,
// taken in the order of their smallest p and equal ones together, of which each can
// be significant at the first step of Holm's procedure over the set.
//
// The choice does not depend on the outcomes: the smallest p depends on the number
// of differing scenes alone, which exchanging descriptors does not change.
//
// After Tarone, A Modified Bonferroni Method for Discrete Data, Biometrics 46, 1990,
// whose set is never larger.
func Decidable(smallest []float64) []bool {
	limit := math.Inf(-1) // the largest p in the family
	sorted := slices.Sorted(slices.Values(smallest))
	for i, p := range sorted {
		last := i+1 == len(sorted) || sorted[i+1] > p
		if last && float64(i+1)*p <= significance {
			limit = p
		}
	}
	in := make([]bool, len(smallest))
	for i, p := range smallest {
		in[i] = p <= limit
	}
	return in
}
