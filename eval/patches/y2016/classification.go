package y2016

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/patches/internal/rank"
	"descbench/eval/scope"
)

// ClassificationResult holds the metrics of both protocols. The balanced protocol uses
// as many negatives as positives, the imbalanced protocol uses all negatives. The
// benchmark evaluates the first by its ROC curve, the second by precision and recall.
type ClassificationResult struct {
	Balanced   *ClassFigures   `json:"balanced"`
	Imbalanced *ClassFigures   `json:"imbalanced"`
	Warnings   []scope.Warning `json:"-"`
}

// ClassFigures holds the metrics of one protocol. They are computed as in package
// binary, with ties as one group. The exceptions are AUCLow, AUCHigh and the average
// precisions of the benchmark's own code, in which ties count for or against the
// descriptor.
type ClassFigures struct {
	P int64 `json:"P"`
	N int64 `json:"N"`

	AUC     float64 `json:"auc_mid"` // ties count half
	AUCLow  float64 `json:"auc_pess"`
	AUCHigh float64 `json:"auc_opt"` // what the benchmark of 2016 prints

	AP         float64 `json:"ap_sklearn"`
	APStepHigh float64 `json:"ap_trec_posfirst"` // what the benchmark of 2016 prints
	APStepLow  float64 `json:"ap_trec_negfirst"`
	APTrapHigh float64 `json:"ap_trap_posfirst"`
	APTrapLow  float64 `json:"ap_trap_negfirst"`

	// Areas under the precision-recall curve: interpolated by the method of Davis and
	// Goadrich, exactly and in steps of one true positive; and by straight lines
	// starting at precision 1 and recall 0.
	PRIntegral  float64 `json:"pr_auc_integral"`
	PRUnitSteps float64 `json:"pr_auc_dg"`
	PRTrapezoid float64 `json:"pr_auc_trap_grouped_start1"`

	EER            float64 `json:"eer_interp"`
	FPR95          float64 `json:"fpr95_step"`   // at the smallest threshold with TPR ≥ 0.95
	FPR95Between   float64 `json:"fpr95_interp"` // where straight lines of the ROC curve reach 0.95
	FPR95Threshold float64 `json:"fpr95_thr"`
	BestAccuracy   float64 `json:"best_accuracy"`

	// The point with the maximum J = TPR − FPR. The threshold is nil if it is below
	// all distances.
	YoudenJ         float64  `json:"youden_j"`
	YoudenTPR       float64  `json:"youden_tpr"`
	YoudenFPR       float64  `json:"youden_fpr"`
	YoudenThreshold *float64 `json:"youden_thr"`
}

// EvaluateClassification measures how well distances separate the classes.
func EvaluateClassification(c *Classes) (*ClassificationResult, error) {
	r := &ClassificationResult{}
	if p, n := len(c.Positive), len(c.Negative); n < p {
		r.Warnings = append(r.Warnings, scope.Warning{Kind: "few-negatives", Text: fmt.Sprintf("%d positives, but only %d negatives: the balanced protocol cannot use equal numbers", p, n)})
	}
	for _, protocol := range []struct {
		name    string
		classes *Classes
		figures **ClassFigures
	}{{"balanced", c.Balanced(), &r.Balanced}, {"imbalanced", c, &r.Imbalanced}} {
		curve, err := protocol.classes.Curve()
		if err != nil {
			return nil, err
		}
		summary := curve.Summary()
		*protocol.figures = protocol.classes.figures(curve, summary)
		for _, w := range summary.Warnings {
			r.Warnings = append(r.Warnings, scope.Warning{Kind: w.Kind, Text: protocol.name + ": " + w.Text})
		}
	}
	return r, nil
}

// Curve returns the ROC and precision-recall points of the classes.
func (c *Classes) Curve() (*binary.Curve, error) {
	var s binary.Samples
	s.Add(true, c.Positive...)
	s.Add(false, c.Negative...)
	return s.Curve()
}

func (c *Classes) figures(curve *binary.Curve, s binary.Summary) *ClassFigures {
	classes := rank.Classes{Positive: ascending(c.Positive), Negative: ascending(c.Negative)}
	low, _, high := classes.AUC()
	positives := len(c.Positive)
	at95 := curve.AtTruePositiveRate(0.95)
	f := &ClassFigures{
		P: s.Positives, N: s.Negatives,
		AUC: s.ROCAUC, AUCLow: low, AUCHigh: high,
		AP:         s.AveragePrecision,
		APStepHigh: rank.StepAP(classes.PositivesFirst(), positives),
		APStepLow:  rank.StepAP(classes.NegativesFirst(), positives),
		APTrapHigh: rank.TrapezoidAP(classes.PositivesFirst(), positives),
		APTrapLow:  rank.TrapezoidAP(classes.NegativesFirst(), positives),
		PRIntegral: s.PRAUCInterpolated, PRUnitSteps: unitStepArea(curve), PRTrapezoid: s.PRAUCTrapezoid,
		EER: s.EER, FPR95: s.FPR95, FPR95Between: falsePositiveRateAt(curve, 0.95), FPR95Threshold: at95.Threshold,
		BestAccuracy: s.BestAccuracy.Accuracy(),
		YoudenJ:      s.Youden.YoudenJ(), YoudenTPR: s.Youden.TruePositiveRate(), YoudenFPR: s.Youden.FalsePositiveRate(),
	}
	if t := s.Youden.Threshold; !math.IsInf(t, -1) {
		f.YoudenThreshold = &t
	}
	return f
}

func ascending(values []float64) []float64 {
	s := slices.Clone(values)
	slices.Sort(s)
	return s
}

// falsePositiveRateAt returns the false positive rate at which the ROC curve, with
// straight lines between its points, first reaches the true positive rate tpr.
func falsePositiveRateAt(curve *binary.Curve, tpr float64) float64 {
	var before binary.Confusion
	for p := range curve.Points() {
		if to := p.TruePositiveRate(); to >= tpr {
			from, start := before.TruePositiveRate(), before.FalsePositiveRate()
			return start + (p.FalsePositiveRate()-start)*(tpr-from)/(to-from)
		}
		before = p
	}
	return math.NaN()
}

// unitStepArea returns the area under the precision-recall curve by trapezoids between
// points in steps of one true positive. False positives are interpolated linearly
// between the points of the ROC curve. Precision is constant up to the first point
// (Davis and Goadrich, The relationship between Precision-Recall and ROC curves, ICML
// 2006, section 4).
func unitStepArea(curve *binary.Curve) float64 {
	area := 0.0
	var from binary.Confusion
	for to := range curve.Points() {
		rise := to.TP - from.TP
		slope := float64(to.FP-from.FP) / float64(rise)
		before := from.Precision()
		for x := int64(1); x <= rise; x++ {
			tp := float64(from.TP + x)
			precision := tp / (tp + float64(from.FP) + slope*float64(x))
			if from.TP == 0 && x == 1 {
				before = precision
			}
			area += (before + precision) / 2
			before = precision
		}
		from = to
	}
	return area / float64(from.Positives())
}
