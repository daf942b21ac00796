package y2016

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/patches"
	"descbench/eval/patches/internal/rank"
)

// MatchingMean holds means of average precisions, which are divided by the number of
// correct matches, as in the benchmark of 2016, and so measure only the order of the
// matches, and of the share that is correct.
type MatchingMean struct {
	MAPOverCorrect float64 `json:"map_over_correct"`      // by ascending distance
	MAP2NNR        float64 `json:"map_2nnr_over_correct"` // by descending ratio second/nearest
	SuccessRate    float64 `json:"msr"`                   // mean share of correct matches
}

// MatchingResult holds the metrics of a matching benchmark, which are means over its
// image pairs.
type MatchingResult struct {
	MatchingMean
	Pairs []PairResult `json:"pairs"`
}

// matchingFigures are the means of matching.
var matchingFigures = []figure[MatchingResult]{
	{"patch_match_map_over_correct", func(r *MatchingResult) *float64 { return &r.MAPOverCorrect }, func(r *MatchingResult, i int) float64 { return r.Pairs[i].APOverCorrect }},
	{"patch_match_map_2nnr_over_correct", func(r *MatchingResult) *float64 { return &r.MAP2NNR }, func(r *MatchingResult, i int) float64 { return r.Pairs[i].AP2NNROverCorrect }},
	{"patch_match_success_rate", func(r *MatchingResult) *float64 { return &r.SuccessRate }, func(r *MatchingResult, i int) float64 { return r.Pairs[i].SuccessRate }},
}

// MeanMatching returns the mean over benchmarks, with equal weights.
func MeanMatching(list []*MatchingResult) MatchingMean {
	return meanOf(matchingFigures, list).MatchingMean
}

// PairResult holds the metrics of one image pair.
type PairResult struct {
	Pair     string `json:"pair"`
	N        int    `json:"N"`
	Correct  int    `json:"correct"`
	Sequence string `json:"-"` // of im_a

	SuccessRate       float64 `json:"sr"`
	APOverCorrect     float64 `json:"ap_over_correct"`
	AP2NNROverCorrect float64 `json:"ap_2nnr_over_correct"`

	byDistance, byRatio []int // ranks of the correct matches
}

// EvaluateMatching evaluates the matches of a benchmark. If labels is nil, patch i of
// im_b is the correct match of patch i of im_a.
func EvaluateMatching(matches []Matches, labels *MatchingLabels) (*MatchingResult, error) {
	r := &MatchingResult{}
	for p, m := range matches {
		target := labels.target(p, m)
		if len(target) != len(m.Nearest) {
			return nil, &patches.Fault{File: labels.File, Reason: fmt.Sprintf("%d labels for %s, want one for each of its %d patches", len(target), m.Pair, len(m.Nearest))}
		}
		r.Pairs = append(r.Pairs, ratePair(m, target))
	}
	setMeans(matchingFigures, r, len(r.Pairs))
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

func ratePair(m Matches, target []int32) PairResult {
	n := len(target)
	r := PairResult{Pair: m.Pair.String(), N: n, Sequence: m.Pair.A.Sequence}
	correct, ratio := make([]bool, n), make([]float64, n)
	for i, j := range m.Nearest {
		if correct[i] = j == target[i]; correct[i] {
			r.Correct++
		}
		ratio[i] = ratioOrder(m.Distance[i], m.SecondDistance[i])
	}
	r.SuccessRate = float64(r.Correct) / float64(n)
	r.byDistance = slices.Collect(rank.Ordered(m.Distance, correct))
	r.byRatio = slices.Collect(rank.Ordered(ratio, correct))
	r.APOverCorrect = rank.StepAP(slices.Values(r.byDistance), r.Correct)
	r.AP2NNROverCorrect = rank.StepAP(slices.Values(r.byRatio), r.Correct)
	return r
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
