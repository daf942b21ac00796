package y2016

import (
	"descbench/eval/binary"
	"descbench/eval/fact"
)

// ClassificationResult holds the metrics of both protocols. The balanced protocol uses
// as many negatives as positives, the imbalanced protocol uses all negatives. The
// benchmark evaluates the first by its ROC curve, the second by precision and recall.
type ClassificationResult struct {
	Balanced   *ClassFigures `json:"balanced"`
	Imbalanced *ClassFigures `json:"imbalanced"`
	Facts      []fact.Fact   `json:"-"`
}

// ClassFigures holds the metrics of one protocol, computed as in package binary: ties are
// one group.
type ClassFigures struct {
	P int64 `json:"P"`
	N int64 `json:"N"`

	AUC   float64 `json:"auc_mid"`
	EER   float64 `json:"eer_interp"`
	FPR95 float64 `json:"fpr95_step"`
	AP    float64 `json:"ap_sklearn"`
}

// EvaluateClassification measures how well distances separate the classes.
func EvaluateClassification(c *Classes) (*ClassificationResult, error) {
	r := &ClassificationResult{}
	if p, n := len(c.Positive), len(c.Negative); n < p {
		r.Facts = append(r.Facts, fact.New(fact.FewNegatives).With("positives", float64(p)).With("negatives", float64(n)))
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
		*protocol.figures = newFigures(summary)
		for _, f := range summary.Facts {
			r.Facts = append(r.Facts, f.Of(protocol.name))
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

func newFigures(s binary.Summary) *ClassFigures {
	return &ClassFigures{P: s.Positives, N: s.Negatives, AUC: s.ROCAUC, EER: s.EER, FPR95: s.FPR95, AP: s.AveragePrecision}
}
