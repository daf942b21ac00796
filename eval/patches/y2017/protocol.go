package y2017

import (
	"math"

	"descbench/eval/patches/internal/rank"
)

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
		return rank.TrapezoidAP(c.NegativesFirst(), positives)
	case p == Grouped:
		return c.GroupedAP(positives)
	}
	return rank.StepAP(c.PositivesFirst(), positives)
}

// matchAP returns the average precision of matches in the order of patches.
func (p Protocol) matchAP(distance []float64, correct []bool) float64 {
	n := len(correct)
	switch p {
	case P17:
		return rank.TrapezoidAP(rank.Ordered(distance, correct), n)
	case M17:
		return rank.StepAP(rank.Ordered(distance, correct), n)
	case HB2016:
		right := 0
		for _, c := range correct {
			if c {
				right++
			}
		}
		return rank.StepAP(rank.Ordered(distance, correct), right)
	}
	return rank.NewClasses(distance, correct).GroupedAP(n)
}
