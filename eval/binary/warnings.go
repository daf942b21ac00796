package binary

import "descbench/eval/scope"

// Limits beyond which metrics get a warning.
const (
	fewSamples = 10   // samples per class
	skewed     = 0.01 // proportion of positives
)

// warnings returns what a reader of the metrics must know, in fixed order.
func warnings(s Summary, points int) []scope.Warning {
	out, both := warningsOfSamples(s.Positives, s.Negatives)
	if !both {
		return out
	}
	all := s.Positives + s.Negatives
	if points == 2 {
		out.Add("constant-distance", "all %d distances are equal; the classes cannot be separated", all)
	}
	if share := ratio(s.Positives, all); share < skewed {
		out.Add("skewed", "only %.2g %% of the samples are positive (%d of %d): the ROC curve looks too optimistic; use precision and recall (Fawcett 2006; Davis & Goadrich 2006)",
			100*share, s.Positives, all)
	}
	if s.ROCAUC < 0.5 {
		out.Add("auc-below-half", "the area under the ROC curve is %.4f, worse than chance: labels may be swapped, or larger values may be the more similar ones", s.ROCAUC)
	}
	return out
}

// Warnings returns what a reader of the ratios of a single confusion matrix must know.
func (c Confusion) Warnings() []scope.Warning {
	out, both := warningsOfSamples(c.Positives(), c.Negatives())
	if both && c.YoudenJ() < 0 {
		out.Add("below-diagonal", "Youden's J is %.4f, below the diagonal of the ROC graph and worse than chance: the labels, or Yes and No, may be swapped", c.YoudenJ())
	}
	return out
}

// warningsOfSamples warns about missing and small classes. both reports whether there are
// samples of both.
func warningsOfSamples(positives, negatives int64) (out scope.Warnings, both bool) {
	all := positives + negatives
	switch {
	case all == 0:
		out.Add("no-samples", "no samples; all metrics are undefined")
	case positives == 0:
		out.Add("single-class", "no positives among %d samples; metrics that need positives are undefined", all)
	case negatives == 0:
		out.Add("single-class", "no negatives among %d samples; metrics that need negatives are undefined", all)
	case positives < fewSamples || negatives < fewSamples:
		out.Add("few-samples", "%d positives and %d negatives; metrics from so few samples are unreliable", positives, negatives)
	}
	return out, positives > 0 && negatives > 0
}
