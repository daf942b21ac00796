package report

import (
	"encoding/json"

	"descbench/eval/binary"
	"descbench/pipeline/store"
)

// MarshalJSON encodes the results of a system under the names of the metrics.
func (s System) MarshalJSON() ([]byte, error) {
	type fields struct {
		Name              string           `json:"name"`
		Positives         int64            `json:"positives"`
		Negatives         int64            `json:"negatives"`
		ROCAUC            Number           `json:"roc_auc,omitzero"`
		ROCAUCLow         Number           `json:"roc_auc_ci_low,omitzero"`
		ROCAUCHigh        Number           `json:"roc_auc_ci_high,omitzero"`
		AveragePrecision  Number           `json:"average_precision,omitzero"`
		APLow             Number           `json:"average_precision_ci_low,omitzero"`
		APHigh            Number           `json:"average_precision_ci_high,omitzero"`
		PRAUCTrapezoid    Number           `json:"pr_auc_trapezoid,omitzero"`
		PRAUCInterpolated Number           `json:"pr_auc_interpolated,omitzero"`
		EER               Number           `json:"eer,omitzero"`
		FPR95             Number           `json:"fpr95,omitzero"`
		YoudenJ           Number           `json:"youden_j,omitzero"`
		YoudenThreshold   Number           `json:"youden_threshold,omitzero"`
		BestAccuracy      Number           `json:"best_accuracy,omitzero"`
		OperatingPoint    *operatingPoint  `json:"operating_point,omitempty"`
		Scenes            int              `json:"scenes,omitempty"`
		WithoutNearest    int              `json:"queries_without_nearest,omitempty"`
		Undefined         *int64           `json:"pairs_with_invalid_descriptor,omitempty"`
		ROCAUCError       *float64         `json:"roc_auc_error,omitempty"`
		APError           *float64         `json:"average_precision_error,omitempty"`
		Warnings          []WarningMessage `json:"warnings"`
	}
	f := s.Summary
	out := fields{
		Name: s.Name, Positives: f.Positives, Negatives: f.Negatives,
		ROCAUC: Number(f.ROCAUC), ROCAUCLow: Number(s.ROCAUC.Low), ROCAUCHigh: Number(s.ROCAUC.High),
		AveragePrecision: Number(f.AveragePrecision), APLow: Number(s.AveragePrecision.Low), APHigh: Number(s.AveragePrecision.High),
		PRAUCTrapezoid: Number(f.PRAUCTrapezoid), PRAUCInterpolated: Number(f.PRAUCInterpolated),
		EER: Number(f.EER), FPR95: Number(f.FPR95),
		YoudenJ: Number(f.Youden.YoudenJ()), YoudenThreshold: Number(f.Youden.Threshold),
		BestAccuracy: Number(f.BestAccuracy.Accuracy()),
		Scenes:       s.Scenes, WithoutNearest: s.WithoutNearest,
		Warnings: []WarningMessage{},
	}
	if a := s.All; a != nil && f.Positives > 0 && f.Negatives > 0 {
		rocAUC, ap := a.ROCAUC.Width(), a.AveragePrecision.Width()
		out.Undefined, out.ROCAUCError, out.APError = &a.Undefined, &rocAUC, &ap
	}
	for _, w := range f.Warnings {
		out.Warnings = append(out.Warnings, WarningMessage{Kind: w.Kind, Text: w.Text})
	}
	if s.At != nil {
		out.OperatingPoint = newOperatingPoint(s.Rule, *s.At)
	}
	return json.Marshal(out)
}

// A WarningMessage is a warning in JSON.
type WarningMessage = store.SummaryWarning

// operatingPoint is the JSON form of a confusion matrix with its ratios. There is
// no threshold if the system says No to everything.
type operatingPoint struct {
	At        string `json:"at"`
	Threshold Number `json:"threshold,omitzero"`
	TP        int64  `json:"tp"`
	FP        int64  `json:"fp"`
	FN        int64  `json:"fn"`
	TN        int64  `json:"tn"`
	TPShare   Number `json:"tp_share,omitzero"`
	FPShare   Number `json:"fp_share,omitzero"`
	FNShare   Number `json:"fn_share,omitzero"`
	TNShare   Number `json:"tn_share,omitzero"`

	TruePositiveRate    Number `json:"true_positive_rate,omitzero"`
	FalsePositiveRate   Number `json:"false_positive_rate,omitzero"`
	TrueNegativeRate    Number `json:"true_negative_rate,omitzero"`
	FalseNegativeRate   Number `json:"false_negative_rate,omitzero"`
	Precision           Number `json:"precision,omitzero"`
	Accuracy            Number `json:"accuracy,omitzero"`
	YoudenJ             Number `json:"youden_j,omitzero"`
	BalancedAccuracy    Number `json:"balanced_accuracy,omitzero"`
	F1                  Number `json:"f1,omitzero"`
	MatthewsCorrelation Number `json:"matthews_correlation,omitzero"`
}

func newOperatingPoint(rule string, c binary.Confusion) *operatingPoint {
	tp, fp, fn, tn := c.Shares()
	return &operatingPoint{
		At: rule, Threshold: Number(c.Threshold), TP: c.TP, FP: c.FP, FN: c.FN, TN: c.TN,
		TPShare: Number(tp), FPShare: Number(fp), FNShare: Number(fn), TNShare: Number(tn),
		TruePositiveRate: Number(c.TruePositiveRate()), FalsePositiveRate: Number(c.FalsePositiveRate()),
		TrueNegativeRate: Number(c.TrueNegativeRate()), FalseNegativeRate: Number(c.FalseNegativeRate()),
		Precision: Number(c.Precision()), Accuracy: Number(c.Accuracy()), YoudenJ: Number(c.YoudenJ()),
		BalancedAccuracy: Number(c.BalancedAccuracy()), F1: Number(c.F1()), MatthewsCorrelation: Number(c.MatthewsCorrelation()),
	}
}

// MarshalJSON encodes a decision like an operating point.
func (d Decision) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		System string `json:"system"`
		Scope  string `json:"scope"`
		*operatingPoint
		ROCAUC           Number `json:"roc_auc,omitzero"`
		AveragePrecision Number `json:"average_precision,omitzero"`
	}{d.System, d.Scope, newOperatingPoint(d.Rule, d.Counts), Number(d.ROCAUC), Number(d.AveragePrecision)})
}
