package rank

import (
	"iter"
	"math"
	"slices"

	"descbench/eval/binary"
)

// Classes holds the distances of the positives and negatives of a two-class problem,
// each in ascending order and without NaN.
type Classes struct {
	Positive, Negative []float64
}

// NewClasses returns the classes of distances, of which some are those of positives.
func NewClasses(distance []float64, positive []bool) (c Classes) {
	for i, d := range distance {
		if positive[i] {
			c.Positive = append(c.Positive, d)
		} else {
			c.Negative = append(c.Negative, d)
		}
	}
	slices.Sort(c.Positive)
	slices.Sort(c.Negative)
	return c
}

// places yields, for each positive, the number of negatives at a smaller distance
// and the number at a smaller or equal distance.
func (c Classes) places() iter.Seq2[int, int] {
	return func(yield func(less, upto int) bool) {
		less, upto := 0, 0
		for _, d := range c.Positive {
			for less < len(c.Negative) && c.Negative[less] < d {
				less++
			}
			for upto < len(c.Negative) && c.Negative[upto] <= d {
				upto++
			}
			if !yield(less, upto) {
				return
			}
		}
	}
}

// AUC returns the area under the ROC curve with ties counted against the positive
// (low), half (mid: the probability that a positive is nearer than a negative, the
// Mann-Whitney statistic) and in favour of the positive (high). Positives at +Inf are
// never retrieved and add nothing. It returns NaN if a class is empty.
func (c Classes) AUC() (low, mid, high float64) {
	n := float64(len(c.Positive) * len(c.Negative))
	if n == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	farther, notNearer := 0, 0 // pairs of a retrieved positive and a negative
	for less, upto := range c.retrieved().places() {
		farther += len(c.Negative) - upto
		notNearer += len(c.Negative) - less
	}
	return float64(farther) / n, float64(farther+notNearer) / (2 * n), float64(notNearer) / n
}

// PositivesFirst yields the ranks of the positives if ties are ordered with positives
// first. Positives at +Inf are never retrieved and have no rank.
func (c Classes) PositivesFirst() iter.Seq[int] {
	return c.ranks(func(less, _ int) int { return less })
}

// NegativesFirst yields the ranks of the positives if ties are ordered with negatives
// first.
func (c Classes) NegativesFirst() iter.Seq[int] {
	return c.ranks(func(_, upto int) int { return upto })
}

// ranks yields the ranks of the positives. before is the number of negatives that come
// before a positive.
func (c Classes) ranks(before func(less, upto int) int) iter.Seq[int] {
	return func(yield func(int) bool) {
		i := 0
		for less, upto := range c.retrieved().places() {
			i++
			if !yield(i + before(less, upto)) {
				return
			}
		}
	}
}

// GroupedAP returns the average precision of the positives if all items with the same
// distance are retrieved together. p is as for StepAP.
func (c Classes) GroupedAP(p int) float64 {
	found, upto := c.retrieved().Positive, 0
	return over(binary.GroupedSum(found, func(i int) int64 {
		for upto < len(c.Negative) && c.Negative[upto] <= found[i] {
			upto++
		}
		return int64(upto)
	}), p)
}

func (c Classes) retrieved() Classes {
	n := len(c.Positive)
	for n > 0 && math.IsInf(c.Positive[n-1], 1) {
		n--
	}
	return Classes{c.Positive[:n], c.Negative}
}
