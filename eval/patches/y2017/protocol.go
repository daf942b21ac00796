// Package y2017 evaluates descriptors on the three tasks of the HPatches patch
// benchmark of 2017: patch verification, image matching and patch retrieval.
//
// The benchmark exists in several versions with different results: its Python code,
// its MATLAB code and its first edition of 2016 compute averages and treat ties in
// different ways. A Protocol selects the definitions. Metrics of different protocols
// must not be compared.
package y2017

import (
	"math"

	"descbench/eval/patches/internal/rank"
)

// A Protocol selects the definitions of the metrics.
//
//	              verification: ties       average precision        matching: divided by
//	P17           against the descriptor   trapezoids               patches
//	M17           for the descriptor       step                     patches
//	HB2016        for the descriptor       step                     correct matches
//	Grouped       half; grouped            step, ties grouped       patches
//
// In retrieval, HB2016 and M17 agree: they rank whole pools, so every counterpart is
// retrieved. P17 compares verification pairs in float32. P17, M17 and HB2016 order
// equal distances by patch index in matching, and put the counterparts of the query
// first in retrieval. Grouped treats equal distances as one group in both tasks, so
// its metrics do not depend on any order.
type Protocol string

// The protocols: the benchmark's Python code, its MATLAB code, the evaluation of its
// first edition, and this program's own protocol.
const (
	P17     Protocol = "p17"
	M17     Protocol = "m17"
	HB2016  Protocol = "hb2016"
	Grouped Protocol = "grouped"
)

// Protocols returns all protocols.
func Protocols() []Protocol { return []Protocol{P17, M17, HB2016, Grouped} }

// A Task is a task of the benchmark.
type Task string

// The tasks.
const (
	Verification Task = "verification"
	Matching     Task = "matching"
	Retrieval    Task = "retrieval"
)

// Tasks returns all tasks.
func Tasks() []Task { return []Task{Verification, Matching, Retrieval} }

// Noises returns the noise levels, that is the jitter, of the patches: easy, hard and
// tough. They are the first letters of image names.
func Noises() []string { return []string{"e", "h", "t"} }

// positiveShare is the ratio of positives to negatives in the imbalanced variant.
const positiveShare = 0.2

// balanced returns the numbers of leading pairs in both lists that the balanced
// variant of verification uses.
func (p Protocol) balanced(positives, negatives int) (int, int) {
	if p == HB2016 {
		return positives, min(positives, negatives)
	}
	return positives, negatives
}

// imbalanced is the same for the imbalanced variant. The lists of 2017 have equal
// numbers of positives and negatives; the first edition's own lists have 1 : 5.
func (p Protocol) imbalanced(positives, negatives int) (int, int) {
	if p == M17 {
		return min(positives, int(positiveShare*float64(negatives))), negatives
	}
	return int(positiveShare * float64(positives)), negatives
}

// auc returns the area under the ROC curve.
func (p Protocol) auc(c rank.Classes) float64 {
	low, mid, high := c.AUC()
	switch p {
	case P17:
		return low
	case Grouped:
		return mid
	}
	return high
}

// classAP returns the average precision of two classes.
func (p Protocol) classAP(c rank.Classes) float64 {
	positives := len(c.Positive)
	switch {
	case positives == 0:
		return math.NaN()
	case p == P17:
		return rank.TrapezoidAP(c.Ranks(false), positives)
	case p == Grouped:
		return c.GroupedAP(positives)
	}
	return rank.StepAP(c.Ranks(true), positives)
}

// matchAP returns the average precision of matches in the order of patches.
func (p Protocol) matchAP(distance []float64, correct []bool) float64 {
	relevant := len(correct)
	switch p {
	case Grouped:
		return rank.NewClasses(distance, correct).GroupedAP(relevant)
	case P17:
		return rank.TrapezoidAP(rank.Ordered(distance, correct), relevant)
	case HB2016:
		relevant = 0
		for _, c := range correct {
			if c {
				relevant++
			}
		}
	}
	return rank.StepAP(rank.Ordered(distance, correct), relevant)
}
