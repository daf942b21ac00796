package y2016

import (
	"slices"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// Protocols are the protocols of classification: balanced with the first negatives of the file, as
// many as there are positives, or all if there are fewer; and imbalanced with all negatives. The
// benchmark evaluates the first by its ROC curve, the second by precision and recall.
var Protocols = [...]string{"balanced", "imbalanced"}

// curves returns the ROC and precision-recall points by protocol. If the sequences of pairs are known,
// they are of the pairs whose first patch is in a sequence of a group, of those that the protocol has.
func (c *ClassificationResult) curves(g group) (all [len(Protocols)]*binary.Curve) {
	for i, negatives := range [...]int{min(len(c.Positive.Distances), len(c.Negative.Distances)), len(c.Negative.Distances)} {
		var s binary.Samples
		add := func(r *Results, n int) {
			for k, d := range r.Distances[:n] {
				if r.Sequences == nil || g.includes(r.Sequences[k]) {
					s.Add(r.Positive, d)
				}
			}
		}
		add(c.Positive, len(c.Positive.Distances))
		add(c.Negative, negatives)
		all[i] = s.Curve()
	}
	return all
}

// A ClassificationResult has the results of a file of positive pairs and of one of negative pairs, and
// their curves by protocol. Curves are computed as in package binary: ties are one group.
type ClassificationResult struct {
	Positive, Negative *Results
	Curves             [len(Protocols)]*binary.Curve
	Facts              []fact.Fact
}

// EvaluateClassification measures how well distances separate positive pairs from negative ones.
func EvaluateClassification(positive, negative *Results) *ClassificationResult {
	r := &ClassificationResult{Positive: positive, Negative: negative}
	r.Curves = r.curves(everything)
	if p, n := len(positive.Distances), len(negative.Distances); n < p {
		r.Facts = append(r.Facts, fact.New(fact.FewNegatives).With("positives", float64(p)).With("negatives", float64(n)))
	}
	for i, curve := range r.Curves {
		for _, f := range curve.Summary().Facts {
			r.Facts = append(r.Facts, f.Of(Protocols[i]))
		}
	}
	return r
}

// Metrics returns the metrics of both protocols over all pairs. If the sequences of pairs are known,
// it also returns the metrics over the pairs whose first patch belongs to a category or a sequence.
// A scope without positives or without negatives has no metrics. N is the number of pairs.
func (c *ClassificationResult) Metrics() []scope.Metric {
	var list scope.List
	groups := []group{everything}
	if c.Positive.Sequences != nil && c.Negative.Sequences != nil {
		groups = groupsOf(slices.Concat(c.Positive.Sequences, c.Negative.Sequences))
	}
	for _, g := range groups {
		for i, curve := range c.curves(g) {
			positives, negatives := curve.Len()
			if positives == 0 || negatives == 0 {
				continue
			}
			s := curve.Summary()
			add := func(name string, value float64) {
				list.Add(g.name, "patch_classify_"+Protocols[i]+"_"+name, value, positives+negatives, stats.NoInterval())
			}
			add("roc_auc", s.ROCAUC)
			add("eer", s.EER)
			add("fpr95", s.FPR95)
			add("average_precision", s.AveragePrecision)
		}
	}
	return list.Metrics
}
