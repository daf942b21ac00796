package y2016

import (
	"fmt"
	"io"
	"math"
	"slices"

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
		target := labels.target(p, m)
		n := len(target)
		if n != len(m.Nearest) {
			return nil, &patches.Fault{File: labels.File, Reason: fmt.Sprintf("%d labels for %s, want one for each of its %d patches", n, m.Pair, len(m.Nearest))}
		}
		correct, ratio, count := make([]bool, n), make([]float64, n), 0
		for i, j := range m.Nearest {
			if correct[i] = j == target[i]; correct[i] {
				count++
			}
			ratio[i] = ratioOrder(m.Distance[i], m.SecondDistance[i])
		}
		byDistance.add(slices.Collect(rank.Ordered(m.Distance, correct)), count)
		byRatio.add(slices.Collect(rank.Ordered(ratio, correct)), count)
		share.Values = append(share.Values, float64(count)/float64(n))
		r.Sequences = append(r.Sequences, m.Pair.A.Sequence)
	}
	r.setMeans()
	return r, nil
}

// target returns the correct matches of pair p, whose patches without labels are in order.
func (l *MatchingLabels) target(p int, m Matches) []int32 {
	if l != nil {
		return l.Target[p]
	}
	list := make([]int32, len(m.Nearest))
	for i := range list {
		list[i] = int32(i)
	}
	return list
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

// MatchingDigests returns the digest of a matching benchmark, that is of its image
// pairs and their correct matches, and the digest of the results.
func MatchingDigests(matches []Matches, labels *MatchingLabels) (asked, answered string) {
	asked = patches.SHA256(func(w io.Writer) {
		for p, m := range matches {
			fmt.Fprintln(w, m.Pair, labels.target(p, m))
		}
	})
	return asked, patches.SHA256(func(w io.Writer) { _ = WriteMatches(w, matches) })
}
