package binary

import (
	"math"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// A Summary holds the metrics of a curve over all thresholds. Metrics that need
// samples of an empty class are NaN.
type Summary struct {
	Positives, Negatives int64

	// ROCAUC is the area under the ROC curve: the probability that a positive
	// is nearer than a negative, with ties counted half (Mann and Whitney).
	ROCAUC float64
	// EER is the rate at which false positive and false negative rate are
	// equal, with linear interpolation between the points of the ROC curve.
	EER float64
	// FPR95 is the false positive rate at the smallest threshold with a true
	// positive rate of 0.95 or more, as in Brown, Hua and Winder, PAMI 2011.
	FPR95 float64
	// AveragePrecision is the sum of precision × increase in recall over the
	// distinct distances (scikit-learn's average_precision_score).
	AveragePrecision float64
	// PRAUCTrapezoid is the area under the precision-recall curve with linear
	// interpolation between its points, starting from precision 1 at recall 0.
	// Linear interpolation is too high where samples tie (Davis and Goadrich).
	PRAUCTrapezoid float64
	// PRAUCInterpolated is the area under the precision-recall curve that
	// results from linear interpolation in ROC space (Davis and Goadrich).
	PRAUCInterpolated float64

	// Operating points: the largest Youden J, the largest accuracy, and the
	// smallest difference between false positive and false negative rate. If
	// several thresholds qualify, the smallest is used. If none exists, the
	// threshold is NaN and all counts are 0.
	Youden, BestAccuracy, EqualError Confusion

	// Facts are needed to interpret the metrics correctly.
	Facts []fact.Fact

	points int // number of points of the curve
}

// Summary computes the metrics in one pass over the samples.
func (c *Curve) Summary() Summary {
	var areas areas
	eer, best := math.NaN(), newBest()
	var before Confusion
	points := 0
	for p := range c.Points() {
		if points > 0 {
			areas.add(before, p)
			if excess(before) < 0 && excess(p) >= 0 { // once: false positive rates rise, false negative rates fall
				eer = crossing(before, p)
			}
		}
		best.add(p)
		before = p
		points++
	}
	positives, negatives := before.Positives(), before.Negatives()
	s := Summary{
		Positives: positives, Negatives: negatives, points: points,
		ROCAUC:            float64(areas.roc) / (2 * float64(positives) * float64(negatives)),
		EER:               eer,
		FPR95:             c.AtTruePositiveRate(0.95).FalsePositiveRate(),
		AveragePrecision:  areas.steps.Sum() / float64(positives),
		PRAUCTrapezoid:    areas.trapezoids / float64(positives),
		PRAUCInterpolated: areas.interpolated / float64(positives),
		Youden:            best.youden, BestAccuracy: best.accuracy, EqualError: best.equal,
	}
	s.Facts = facts(s)
	return s
}

// Metrics returns the defined metrics in fixed order, with the intervals of ROCAUC and AveragePrecision. N
// is the number of positives for areas under the precision-recall curve, the number of negatives
// for fpr95, otherwise the number of all samples.
func (s Summary) Metrics(within string, rocAUC, averagePrecision stats.Interval) []scope.Metric {
	all, none := s.Positives+s.Negatives, stats.NoInterval()
	var list scope.List
	for _, m := range []struct {
		name     string
		value    float64
		n        int64
		interval stats.Interval
	}{
		{"roc_auc", s.ROCAUC, all, rocAUC}, {"eer", s.EER, all, none}, {"fpr95", s.FPR95, s.Negatives, none},
		{"average_precision", s.AveragePrecision, s.Positives, averagePrecision},
		{"pr_auc_trapezoid", s.PRAUCTrapezoid, s.Positives, none}, {"pr_auc_interpolated", s.PRAUCInterpolated, s.Positives, none},
		{"best_youden_j", s.Youden.YoudenJ(), all, none}, {"best_accuracy", s.BestAccuracy.Accuracy(), all, none},
	} {
		list.Add(within, m.name, m.value, int(m.n), m.interval)
	}
	return list.Metrics
}

// best finds operating points. Rates are compared as integers so that equal
// rates compare equal: TP/P - FP/N as TP·N - FP·P. These stay below 2⁶³ for up
// to three billion samples per class.
type best struct {
	youden, accuracy, equal    Confusion
	height, right, discrepancy int64
}

func newBest() best {
	return best{
		youden: undefined(), accuracy: undefined(), equal: undefined(),
		height: math.MinInt64, right: 0, discrepancy: math.MaxInt64,
	}
}

func (b *best) add(p Confusion) {
	if right := p.TP + p.TN; right > b.right {
		b.accuracy, b.right = p, right
	}
	positives, negatives := p.Positives(), p.Negatives()
	if positives == 0 || negatives == 0 {
		return
	}
	if height := p.TP*negatives - p.FP*positives; height > b.height {
		b.youden, b.height = p, height
	}
	if d := max(excess(p), -excess(p)); d < b.discrepancy {
		b.equal, b.discrepancy = p, d
	}
}

// excess returns the false positive rate minus the false negative rate,
// multiplied by the number of positives and the number of negatives.
func excess(p Confusion) int64 { return p.FP*p.Positives() - p.FN*p.Negatives() }

// crossing returns the rate between two points at which the false positive rate reaches the false
// negative rate.
func crossing(from, to Confusion) float64 {
	below, above := float64(-excess(from)), float64(excess(to))
	a, b := from.FalsePositiveRate(), to.FalsePositiveRate()
	return a + float64((b-a)*(below/(below+above)))
}
