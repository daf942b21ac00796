package rank

import (
	"iter"
	"math"

	"descbench/eval/binary"
)

// Classes are the distances of the positives and negatives of a two-class
// problem, each ascending, without NaN.
type Classes struct {
	Positive, Negative []float64
}

// places yields, for each positive, the number of negatives that are nearer,
// and of those that are nearer or as near.
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

// AUC returns the area under the ROC curve when ties count against the positive
// (low), half (mid: the probability that a positive is nearer than a negative,
// Mann and Whitney's), and for it (high). NaN without either class.
func (c Classes) AUC() (low, mid, high float64) {
	sumLess, sumUpto := 0, 0
	for less, upto := range c.places() {
		sumLess += less
		sumUpto += upto
	}
	pairs := len(c.Positive) * len(c.Negative)
	if pairs == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	n := float64(pairs)
	return float64(pairs-sumUpto) / n, float64(2*pairs-sumUpto-sumLess) / (2 * n), float64(pairs-sumLess) / n
}

// PositivesFirst yields the ranks of the positives if those of a tie stand
// before its negatives. Positives at +Inf are never retrieved and have none.
func (c Classes) PositivesFirst() iter.Seq[int] {
	return func(yield func(int) bool) {
		i := 0
		for less := range c.retrieved().places() {
			i++
			if !yield(i + less) {
				return
			}
		}
	}
}

// NegativesFirst yields the ranks of the positives if those of a tie stand
// behind its negatives.
func (c Classes) NegativesFirst() iter.Seq[int] {
	return func(yield func(int) bool) {
		i := 0
		for _, upto := range c.retrieved().places() {
			i++
			if !yield(i + upto) {
				return
			}
		}
	}
}

// GroupedAP returns the average precision of the positives if all of a distance
// are retrieved at once.
func (c Classes) GroupedAP() float64 {
	var g binary.GroupedPrecision
	all := len(c.Positive)
	c = c.retrieved()
	i, tied, seen := 0, 0, 0
	for _, upto := range c.places() {
		i++
		if tied++; i == len(c.Positive) || c.Positive[i] != c.Positive[i-1] {
			g.Add(int64(tied), int64(upto-seen))
			tied, seen = 0, upto
		}
	}
	return over(g.Sum(), all)
}

func (c Classes) retrieved() Classes {
	n := len(c.Positive)
	for n > 0 && math.IsInf(c.Positive[n-1], 1) {
		n--
	}
	return Classes{c.Positive[:n], c.Negative}
}
