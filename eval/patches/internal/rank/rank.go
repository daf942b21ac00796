// Package rank computes the average precisions and areas under curves of the patch
// benchmark. Each is a function of the ranks of the relevant items, nearest first.
// The versions of the benchmark differ in how they integrate the area, what they
// divide it by, and how they treat ties.
package rank

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"descbench/eval/binary"
)

// StepAP returns the average precision without interpolation, as defined by TREC and
// reported by VLFeat's vl_pr (info.ap): the sum of the precisions at the relevant
// items, divided by p. ranks are those of the retrieved relevant items, from
// 1, in ascending order; p is the number of all relevant items. The result is 0 if p
// is 0, as in the benchmark.
func StepAP(ranks []int, p int) float64 {
	sum, found := 0.0, 0.0
	for _, r := range ranks {
		found++
		sum += found / float64(r)
	}
	return over(sum, p)
}

// TrapezoidAP returns the area under the precision-recall curve by trapezoids between
// the ranks, with precision 1 at recall 0. This is vl_pr's info.auc; the benchmark's
// Python code calls it average precision.
func TrapezoidAP(ranks []int, p int) float64 {
	sum, found := 0.0, 0.0
	for _, r := range ranks {
		before := 1.0
		if r > 1 {
			before = found / float64(r-1)
		}
		found++
		sum += (before + found/float64(r)) / 2
	}
	return over(sum, p)
}

func over(sum float64, p int) float64 {
	if p == 0 {
		return 0
	}
	return sum / float64(p)
}

// Ordered returns the ranks of the relevant items of a list in ascending order of
// distance. Items with equal distances keep the order of the list. Items at +Inf are
// never retrieved.
func Ordered(distance []float64, relevant []bool) (ranks []int) {
	order := make([]int, 0, len(distance))
	for i, d := range distance {
		if d < math.Inf(1) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(distance[i], distance[j]), i-j) })
	for r, i := range order {
		if relevant[i] {
			ranks = append(ranks, r+1)
		}
	}
	return ranks
}

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

// Ranks returns the ranks of the positives if ties are ordered with positives first, or with
// negatives first. Positives at +Inf are never retrieved and have no rank.
func (c Classes) Ranks(positivesFirst bool) []int {
	ranks := make([]int, 0, len(c.Positive))
	for less, upto := range c.retrieved().places() {
		if positivesFirst {
			upto = less
		}
		ranks = append(ranks, len(ranks)+1+upto)
	}
	return ranks
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
