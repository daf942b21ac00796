package report

import (
	"descbench/eval/binary"
	"descbench/eval/scope"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// A WarningMessage is a warning in JSON.
type WarningMessage = store.SummaryWarning

// SystemsJSON returns the results of systems under the names of the metrics. What is
// undefined is absent.
func SystemsJSON(systems []binary.System) []table.Object {
	var all []table.Object
	for _, s := range systems {
		f := s.Summary
		o := table.Object{{Name: "name", Value: s.Name}, {Name: "positives", Value: f.Positives}, {Name: "negatives", Value: f.Negatives}}
		o.Number("roc_auc", f.ROCAUC)
		o.Number("roc_auc_ci_low", s.ROCAUC.Low)
		o.Number("roc_auc_ci_high", s.ROCAUC.High)
		o.Number("average_precision", f.AveragePrecision)
		o.Number("average_precision_ci_low", s.AveragePrecision.Low)
		o.Number("average_precision_ci_high", s.AveragePrecision.High)
		o.Number("pr_auc_trapezoid", f.PRAUCTrapezoid)
		o.Number("pr_auc_interpolated", f.PRAUCInterpolated)
		o.Number("eer", f.EER)
		o.Number("fpr95", f.FPR95)
		o.Number("youden_j", f.Youden.YoudenJ())
		o.Number("youden_threshold", f.Youden.Threshold)
		o.Number("best_accuracy", f.BestAccuracy.Accuracy())
		if s.At != nil {
			o.Add("operating_point", operatingPoint(s.Rule, *s.At))
		}
		if s.Scenes > 0 {
			o.Add("scenes", s.Scenes)
		}
		if s.WithoutNearest > 0 {
			o.Add("queries_without_nearest", s.WithoutNearest)
		}
		if a := s.All; a != nil && f.Positives > 0 && f.Negatives > 0 {
			o.Add("pairs_with_invalid_descriptor", a.Undefined)
			o.Add("roc_auc_error", a.ROCAUC.Width())
			o.Add("average_precision_error", a.AveragePrecision.Width())
		}
		o.Add("warnings", append([]scope.Warning{}, f.Warnings...))
		all = append(all, o)
	}
	return all
}

// operatingPoint returns a confusion matrix with its ratios. There is no threshold if
// the system says No to everything.
func operatingPoint(rule string, c binary.Confusion) table.Object {
	o := table.Object{{Name: "at", Value: rule}}
	o.Number("threshold", c.Threshold)
	o = append(o, table.Member{Name: "tp", Value: c.TP}, table.Member{Name: "fp", Value: c.FP}, table.Member{Name: "fn", Value: c.FN}, table.Member{Name: "tn", Value: c.TN},
		table.Member{Name: "yes", Value: c.Yes()}, table.Member{Name: "no", Value: c.No()}, table.Member{Name: "positives", Value: c.Positives()}, table.Member{Name: "negatives", Value: c.Negatives()})
	tp, fp, fn, tn := c.Shares()
	o.Number("tp_share", tp)
	o.Number("fp_share", fp)
	o.Number("fn_share", fn)
	o.Number("tn_share", tn)
	for _, r := range binary.Ratios {
		o.Number(r.Name, r.Of(c))
	}
	return o
}

// DecisionsJSON returns decisions like operating points.
func DecisionsJSON(decisions []binary.Decision) []table.Object {
	var all []table.Object
	for _, d := range decisions {
		o := append(table.Object{{Name: "system", Value: d.System}, {Name: "scope", Value: d.Scope}}, operatingPoint(d.Rule, d.Counts)...)
		o.Number("roc_auc", d.ROCAUC)
		o.Number("average_precision", d.AveragePrecision)
		if warnings := d.Counts.Warnings(); d.Scope == scope.All && warnings != nil {
			o.Add("warnings", warnings)
		}
		all = append(all, o)
	}
	return all
}
