package binary

import (
	"iter"
	"math"

	"descbench/eval/internal/radix"
)

// A Curve holds the confusion matrices of the samples at all thresholds.
// Plotting false against true positive rate gives the ROC curve, plotting
// recall against precision the precision-recall curve. It is safe for
// concurrent use.
type Curve struct {
	positives, negatives []radix.Key     // ascending
	source               iter.Seq[group] // of bins, instead of samples; else nil

	positiveCount, negativeCount int
}

// Len returns the number of samples of each class.
func (c *Curve) Len() (positives, negatives int) {
	return c.positiveCount, c.negativeCount
}

// At returns the confusion matrix at a threshold. At NaN the classifier answers
// No to everything. The threshold of a curve from Bins should be one of their edges;
// otherwise samples between the edge before and the threshold count as No.
func (c *Curve) At(threshold float64) Confusion {
	if math.IsNaN(threshold) {
		return c.confusion(threshold, 0, 0)
	}
	at := c.confusion(threshold, 0, 0)
	for p := range c.Points() {
		if p.Threshold > threshold {
			break
		}
		at = p
	}
	at.Threshold = threshold
	return at
}

func (c *Curve) confusion(threshold float64, tp, fp int) Confusion {
	return Confusion{
		Threshold: threshold,
		TP:        int64(tp), FP: int64(fp),
		FN: int64(c.positiveCount - tp), TN: int64(c.negativeCount - fp),
	}
}

// AtTruePositiveRate returns the confusion matrix at the smallest threshold
// whose true positive rate is at least rate, from 0 to 1. Without positives all
// counts are 0 and the threshold is NaN.
func (c *Curve) AtTruePositiveRate(rate float64) Confusion {
	if c.positiveCount > 0 && rate >= 0 && rate <= 1 {
		for p := range c.Points() {
			if p.TruePositiveRate() >= rate {
				return p
			}
		}
	}
	return undefined()
}

// undefined is an operating point that does not exist; its ratios are NaN.
func undefined() Confusion { return Confusion{Threshold: math.NaN()} }

// Points returns the points of the curve in ascending order: first the point
// that answers No to everything (threshold -Inf; false and true positive rate
// 0), then one for each distinct distance, or for each of the Bins that has samples.
func (c *Curve) Points() iter.Seq[Confusion] {
	return func(yield func(Confusion) bool) {
		tp, fp := 0, 0
		if !yield(c.confusion(math.Inf(-1), 0, 0)) {
			return
		}
		groups := iter.Seq[group](c.groups)
		if c.source != nil {
			groups = c.source
		}
		for g := range groups {
			tp += g.positives
			fp += g.negatives
			if !yield(c.confusion(g.upTo, tp, fp)) {
				return
			}
		}
	}
}

// A group holds the numbers of samples that a classifier tells from all others: those
// of one distance or of one bin.
type group struct {
	upTo                 float64 // threshold that includes them
	positives, negatives int
}

// groups yields the samples of each distinct distance.
func (c *Curve) groups(yield func(group) bool) {
	tp, fp := 0, 0
	for tp < len(c.positives) || fp < len(c.negatives) {
		var k radix.Key
		switch {
		case tp == len(c.positives):
			k = c.negatives[fp]
		case fp == len(c.negatives):
			k = c.positives[tp]
		default:
			k = min(c.positives[tp], c.negatives[fp])
		}
		g := group{k.Value(), -tp, -fp}
		for tp < len(c.positives) && c.positives[tp] == k {
			tp++
		}
		for fp < len(c.negatives) && c.negatives[fp] == k {
			fp++
		}
		g.positives += tp
		g.negatives += fp
		if !yield(g) {
			return
		}
	}
}

// Thin returns at most n points of the curve for drawing or printing, n ≥ 2. It
// returns all points if there are at most n. Otherwise it returns the first,
// the last, and the points where the sum of false and true positive rate enters
// another of n-1 equal intervals. No point is interpolated.
func (c *Curve) Thin(n int) []Confusion {
	count := 0
	for range c.Points() {
		count++
	}
	var out []Confusion
	part := 0
	for p := range c.Points() {
		if count <= n {
			out = append(out, p)
			continue
		}
		if at := int(float64(n-1) * progress(p)); at > part || len(out) == 0 {
			out = append(out, p)
			part = at
		}
	}
	return out
}

// progress returns the position of a point along the curve: exactly 0 at the
// start and exactly 1 at the end.
func progress(p Confusion) float64 {
	switch {
	case p.Positives() == 0:
		return p.FalsePositiveRate()
	case p.Negatives() == 0:
		return p.TruePositiveRate()
	}
	return (p.TruePositiveRate() + p.FalsePositiveRate()) / 2
}
