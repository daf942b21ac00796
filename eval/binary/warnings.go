package binary

import (
	"fmt"

	"descbench/eval/scope"
)

// Limits beyond which metrics get a warning.
const (
	fewSamples = 10   // samples per class
	skewed     = 0.01 // proportion of positives
)

// warnings returns what a reader of the metrics must know, in fixed order.
func warnings(s Summary, points int) []scope.Warning {
	var out []scope.Warning
	warn := func(kind, format string, args ...any) {
		out = append(out, scope.Warning{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	all := s.Positives + s.Negatives
	switch {
	case all == 0:
		warn("no-samples", "no samples; all metrics are undefined")
		return out
	case s.Positives == 0:
		warn("single-class", "no positives among %d samples; metrics that need positives are undefined", all)
		return out
	case s.Negatives == 0:
		warn("single-class", "no negatives among %d samples; metrics that need negatives are undefined", all)
		return out
	}
	if s.Positives < fewSamples || s.Negatives < fewSamples {
		warn("few-samples", "%d positives and %d negatives; metrics from so few samples are unreliable", s.Positives, s.Negatives)
	}
	if points == 2 {
		warn("constant-distance", "all %d distances are equal; the classes cannot be separated", all)
	}
	if share := ratio(s.Positives, all); share < skewed {
		warn("skewed", "only %.2g %% of the samples are positive (%d of %d): the ROC curve is too optimistic, use precision and recall (Fawcett 2006; Davis & Goadrich 2006)",
			100*share, s.Positives, all)
	}
	if s.ROCAUC < 0.5 {
		warn("auc-below-half", "the area under the ROC curve is %.4f, worse than chance: labels may be swapped, or large distances may mean Yes", s.ROCAUC)
	}
	return out
}
