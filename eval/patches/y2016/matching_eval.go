package y2016

import (
	"fmt"
	"math"

	"descbench/eval/patches"
	"descbench/eval/patches/internal/rank"
	"descbench/eval/scope"
)

// MatchingMean holds means of average precisions. "Over correct" divides by the number
// of correct matches, as in the benchmark of 2016, and so measures only the order of
// the matches. "Over N" divides by the number of patches.
type MatchingMean struct {
	MAPOverCorrect float64 `json:"map_over_correct"`      // by ascending distance
	MAP2NNR        float64 `json:"map_2nnr_over_correct"` // by descending ratio second/nearest
	MAPOverN       float64 `json:"map_over_N"`
	MAP2NNROverN   float64 `json:"map_2nnr_over_N"`
	MAPTrapOverN   float64 `json:"map_trap_over_N"` // by trapezoids
	SuccessRate    float64 `json:"msr"`             // mean share of correct matches
}

// MatchingResult holds the metrics of a matching benchmark, which are means over its
// image pairs.
type MatchingResult struct {
	MatchingMean
	V1Refuses bool            `json:"v1_code_refuses"` // because a nearest and a second nearest neighbour have equal distances
	Pairs     []PairResult    `json:"pairs"`
	Warnings  []scope.Warning `json:"-"`
}

// matchingFigures are the means of matching.
var matchingFigures = []figure[MatchingResult]{
	{"patch_match_map_over_correct", func(r *MatchingResult) *float64 { return &r.MAPOverCorrect }, func(r *MatchingResult, i int) float64 { return r.Pairs[i].APOverCorrect }},
	{"patch_match_map_2nnr_over_correct", func(r *MatchingResult) *float64 { return &r.MAP2NNR }, func(r *MatchingResult, i int) float64 { return r.Pairs[i].AP2NNROverCorrect }},
	{"patch_match_map_over_n", func(r *MatchingResult) *float64 { return &r.MAPOverN }, func(r *MatchingResult, i int) float64 { return r.Pairs[i].APOverN }},
	{"", func(r *MatchingResult) *float64 { return &r.MAP2NNROverN }, func(r *MatchingResult, i int) float64 { return r.Pairs[i].AP2NNROverN }},
	{"patch_match_map_trap_over_n", func(r *MatchingResult) *float64 { return &r.MAPTrapOverN }, func(r *MatchingResult, i int) float64 { return r.Pairs[i].APTrapOverN }},
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
	APOverN           float64 `json:"ap_over_N"`
	APTrapOverN       float64 `json:"ap_trap_over_N"`
	APGrouped         float64 `json:"ap_sklearn_grouped_over_correct"` // equal distances as one group
	AP2NNROverCorrect float64 `json:"ap_2nnr_over_correct"`
	AP2NNROverN       float64 `json:"ap_2nnr_over_N"`
	// AP2NNRNaNFirst ranks ratios 0/0 as the best matches, because MATLAB sorts NaN
	// first. The other fields treat them as 1, the worst ratio.
	AP2NNRNaNFirst float64 `json:"ap_2nnr_over_correct_nanfirst"`

	Ties     int `json:"d1_equals_d2"`         // patches with two nearest neighbours at equal distance
	ZeroZero int `json:"ratio_zero_over_zero"` // number of these at distance 0
}

// EvaluateMatching evaluates the matches of a benchmark. If labels is nil, patch i of
// im_b is the correct match of patch i of im_a.
func EvaluateMatching(matches []Matches, labels *MatchingLabels) (*MatchingResult, error) {
	r := &MatchingResult{}
	asCoded, asCoded2NNR, crossed, zeroZero, nanFirst := 0.0, 0.0, 0, 0, 0.0
	for p, m := range matches {
		target := labels.target(p, m)
		listed := target
		if labels != nil {
			listed = labels.Listed[p]
			if len(target) != len(m.Nearest) {
				return nil, &patches.Fault{File: labels.File, Reason: fmt.Sprintf("%d labels for %s, want one for each of its %d patches", len(target), m.Pair, len(m.Nearest))}
			}
		}
		pair := ratePair(m, target)
		r.Pairs = append(r.Pairs, pair)
		r.V1Refuses = r.V1Refuses || pair.Ties > 0

		coded := ratePair(m, listed)
		asCoded += coded.APOverCorrect
		asCoded2NNR += coded.AP2NNRNaNFirst
		nanFirst += pair.AP2NNRNaNFirst
		zeroZero += pair.ZeroZero
		for i := range target {
			if target[i] != listed[i] {
				crossed++
			}
		}
	}
	n := float64(len(matches))
	setMeans(matchingFigures, r, len(r.Pairs))
	if crossed > 0 {
		r.warn("labels-crossed", "the code of 2016 uses the first line of labels as the correct matches, which is wrong for %d patches; it would print map_over_correct %v and map_2nnr_over_correct %v", crossed, asCoded/n, asCoded2NNR/n)
	}
	if zeroZero > 0 {
		r.warn("ratio-zero-over-zero", "%d matches have both nearest neighbours at distance 0: they rank last by ratio here, but first in the code of 2016, which would print map_2nnr_over_correct %v", zeroZero, nanFirst/n)
	}
	if r.V1Refuses {
		r.warn("equal-neighbours", "some patches have two nearest neighbours at the same distance: the first version of the 2016 code rejects such a file, the later version accepts it")
	}
	return r, nil
}

func (r *MatchingResult) warn(kind, format string, args ...any) {
	r.Warnings = append(r.Warnings, scope.Warning{Kind: kind, Text: fmt.Sprintf(format, args...)})
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
	correct := make([]bool, n)
	byRatio, nanFirst := make([]float64, n), make([]float64, n)
	for i, j := range m.Nearest {
		if correct[i] = j == target[i]; correct[i] {
			r.Correct++
		}
		d, second := m.Distance[i], m.SecondDistance[i]
		if d == second {
			r.Ties++
			if d == 0 {
				r.ZeroZero++
			}
		}
		byRatio[i], nanFirst[i] = ratioOrder(d, second)
	}
	r.SuccessRate = float64(r.Correct) / float64(n)
	ranks := rank.Ordered(m.Distance, correct)
	r.APOverCorrect = rank.StepAP(ranks, r.Correct)
	r.APOverN = rank.StepAP(ranks, n)
	r.APTrapOverN = rank.TrapezoidAP(ranks, n)
	r.APGrouped = rank.NewClasses(m.Distance, correct).GroupedAP(r.Correct)
	ranks = rank.Ordered(byRatio, correct)
	r.AP2NNROverCorrect = rank.StepAP(ranks, r.Correct)
	r.AP2NNROverN = rank.StepAP(ranks, n)
	r.AP2NNRNaNFirst = rank.StepAP(rank.Ordered(nanFirst, correct), r.Correct)
	return r
}

// ratioOrder returns sort keys for matches by descending ratio of the second distance
// to the first. order treats the ratio 0/0 as 1, nanFirst as the best ratio. A match
// at infinite distance is never retrieved.
func ratioOrder(d, second float64) (order, nanFirst float64) {
	switch {
	case math.IsInf(d, 1):
		return math.Inf(1), math.Inf(1)
	case d == 0 && second == 0:
		return -1, math.Inf(-1)
	case d == 0:
		return -math.MaxFloat64, -math.MaxFloat64
	}
	return -second / d, -second / d
}
