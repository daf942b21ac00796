package binary

import "math"

// A Confusion is the confusion matrix at one threshold: the classifier's answer
// (Yes up to the threshold) against the true class.
//
//	      positive  negative
//	Yes      TP        FP     Yes()
//	No       FN        TN     No()
//
// Positives() and Negatives() are the totals below.
//
// Ratios with an empty denominator are NaN.
type Confusion struct {
	Threshold      float64 // Yes iff distance ≤ Threshold; -Inf: No to everything
	TP, FP, FN, TN int64
}

// Positives returns the number of positive samples.
func (c Confusion) Positives() int64 { return c.TP + c.FN }

// Negatives returns the number of negative samples.
func (c Confusion) Negatives() int64 { return c.FP + c.TN }

// Yes returns the number of samples at or below the threshold.
func (c Confusion) Yes() int64 { return c.TP + c.FP }

// No returns the number of samples above the threshold.
func (c Confusion) No() int64 { return c.FN + c.TN }

// Total returns the number of samples.
func (c Confusion) Total() int64 { return c.TP + c.FP + c.FN + c.TN }

// TruePositiveRate returns TP / positives, also called recall, sensitivity and
// hit rate.
func (c Confusion) TruePositiveRate() float64 { return ratio(c.TP, c.Positives()) }

// FalsePositiveRate returns FP / negatives, also called fallout and false alarm
// rate.
func (c Confusion) FalsePositiveRate() float64 { return ratio(c.FP, c.Negatives()) }

// TrueNegativeRate returns TN / negatives = 1 - FalsePositiveRate, also called
// specificity.
func (c Confusion) TrueNegativeRate() float64 { return ratio(c.TN, c.Negatives()) }

// FalseNegativeRate returns FN / positives = 1 - TruePositiveRate, also called
// miss rate.
func (c Confusion) FalseNegativeRate() float64 { return ratio(c.FN, c.Positives()) }

// Accuracy returns (TP + TN) / total, also called Rand index.
func (c Confusion) Accuracy() float64 { return ratio(c.TP+c.TN, c.Total()) }

// Precision returns TP / (TP + FP). It is undefined if there are no Yes
// answers; by convention curves start with 1 there.
func (c Confusion) Precision() float64 { return ratio(c.TP, c.Yes()) }

// YoudenJ returns sensitivity + specificity - 1, from -1 to 1, also called
// informedness: the height of the point above the chance diagonal of the ROC
// graph.
func (c Confusion) YoudenJ() float64 { return c.TruePositiveRate() - c.FalsePositiveRate() }

// BalancedAccuracy returns the mean of sensitivity and specificity.
func (c Confusion) BalancedAccuracy() float64 {
	return (c.TruePositiveRate() + c.TrueNegativeRate()) / 2
}

// F1 returns the harmonic mean of precision and recall, 2TP / (2TP + FP + FN).
func (c Confusion) F1() float64 { return ratio(2*c.TP, 2*c.TP+c.FP+c.FN) }

// MatthewsCorrelation returns the correlation between answer and true class,
// from -1 to 1. It is undefined unless both answers and both classes occur.
func (c Confusion) MatthewsCorrelation() float64 {
	product := float64(c.Yes()) * float64(c.No()) * float64(c.Positives()) * float64(c.Negatives())
	return (float64(c.TP*c.TN) - float64(c.FP*c.FN)) / math.Sqrt(product) // 0/0 is NaN
}

// ratio returns a/b, or NaN if b is 0.
func ratio(a, b int64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}
