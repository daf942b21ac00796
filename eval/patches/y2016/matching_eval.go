package y2016

import (
	"fmt"
	"math"

	"descbench/eval/patches"
	"descbench/eval/patches/internal/rank"
)

// EvaluateMatching evaluates the matches of a benchmark. If labels is nil, patch i of
// im_b is the correct match of patch i of im_a. The average precisions, by ascending distance and
// by descending ratio of the second distance to it, are divided by the number of correct matches,
// as in the benchmark of 2016, and so measure only the order of the matches; the last figure is
// the share that is correct.
func EvaluateMatching(matches []Matches, labels *MatchingLabels) (*Result, error) {
	r := &Result{Figures: []Figure{
		{Metric: "patch_match_map_over_correct", Curve: "by_distance"},
		{Metric: "patch_match_map_2nnr_over_correct", Curve: "by_ratio"},
		{Metric: "patch_match_success_rate"},
	}}
	byDistance, byRatio, share := &r.Figures[0], &r.Figures[1], &r.Figures[2]
	for p, m := range matches {
		n := len(m.Nearest)
		if labels != nil && len(labels.Target[p]) != n {
			return nil, &patches.Fault{File: labels.File, Reason: fmt.Sprintf("%d labels for %s, want one for each of its %d patches", len(labels.Target[p]), m.Pair, n)}
		}
		correct, ratio, count := make([]bool, n), make([]float64, n), 0
		for i, j := range m.Nearest {
			target := int32(i)
			if labels != nil {
				target = labels.Target[p][i]
			}
			if correct[i] = j == target; correct[i] {
				count++
			}
			ratio[i] = ratioOrder(m.Distance[i], m.SecondDistance[i])
		}
		byDistance.add(rank.Ordered(m.Distance, correct), count)
		byRatio.add(rank.Ordered(ratio, correct), count)
		share.Values = append(share.Values, float64(count)/float64(n))
		r.Sequences = append(r.Sequences, m.Pair.A.Sequence)
	}
	r.setMeans()
	return r, nil
}

// ratioOrder returns the sort key of a match by descending ratio of the second distance
// to the first, of which 0/0 is 1. A match at infinite distance is never retrieved.
func ratioOrder(d, second float64) float64 {
	switch {
	case math.IsInf(d, 1):
		return math.Inf(1)
	case d == 0 && second == 0:
		return -1
	case d == 0:
		return -math.MaxFloat64
	}
	return -second / d
}
