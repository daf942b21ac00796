package y2016

import (
	"maps"
	"slices"

	"descbench/eval/scope"
	"descbench/eval/stats"
)

// A figure is a mean over the items (image pairs or queries) of a result, and the metric
// of this name.
type figure[R any] struct {
	metric string
	mean   func(*R) *float64
	value  func(r *R, item int) float64
}

// setMeans sets the means over n items.
func setMeans[R any](figures []figure[R], r *R, n int) {
	for _, f := range figures {
		sum := 0.0
		for i := range n {
			sum += f.value(r, i)
		}
		*f.mean(r) = sum / float64(n)
	}
}

// meanOf returns the means of means.
func meanOf[R any](figures []figure[R], list []*R) (mean R) {
	for _, f := range figures {
		for _, r := range list {
			*f.mean(&mean) += *f.mean(r) / float64(len(list))
		}
	}
	return mean
}

// Metrics returns the means over the image pairs of each scope: all, a category, or a
// sequence. N is the number of pairs.
func (r *MatchingResult) Metrics() []scope.Metric {
	sequences := make([]string, len(r.Pairs))
	for i, p := range r.Pairs {
		sequences[i] = p.Sequence
	}
	return means(matchingFigures, r, sequences)
}

// Metrics returns the means over the queries of each scope: all, a category, or a
// sequence. N is the number of queries.
func (r *RetrievalResult) Metrics() []scope.Metric {
	list := scope.List{Metrics: means(retrievalFigures, r, r.Sequences)}
	if r.ChanceImage != nil {
		list.Add(scope.All, "patch_retrieve_chance_image", *r.ChanceImage, r.Queries, stats.NoInterval())
		list.Add(scope.All, "patch_retrieve_chance_patch", *r.ChancePatch, r.Queries, stats.NoInterval())
	}
	return list.Metrics
}

// ClassificationMetrics returns the metrics of both protocols over all pairs. If the
// sequences of pairs are known, it also returns the metrics over the pairs whose first
// patch belongs to a category or a sequence. The balanced protocol selects its
// negatives before pairs are divided into scopes. A scope without positives or without
// negatives has no metrics. N is the number of pairs.
func ClassificationMetrics(c *Classes) ([]scope.Metric, error) {
	var list scope.List
	groups := []group{{scope.All, nil}}
	if c.PositiveSequence != nil {
		groups = groupsOf(slices.Concat(c.PositiveSequence, c.NegativeSequence))
	}
	for _, s := range groups {
		for _, protocol := range []struct {
			name    string
			classes *Classes
		}{{"balanced", c.Balanced()}, {"imbalanced", c}} {
			part := protocol.classes
			if s.name != scope.All {
				part = part.of(s.includes)
			}
			if len(part.Positive) == 0 || len(part.Negative) == 0 {
				continue
			}
			curve, err := part.Curve()
			if err != nil {
				return nil, err
			}
			f := newFigures(curve.Summary())
			n := len(part.Positive) + len(part.Negative)
			for _, m := range []struct {
				name  string
				value float64
			}{
				{"roc_auc", f.AUC},
				{"eer", f.EER},
				{"fpr95", f.FPR95},
				{"average_precision", f.AP},
			} {
				list.Add(s.name, "patch_classify_"+protocol.name+"_"+m.name, m.value, n, stats.NoInterval())
			}
		}
	}
	return list.Metrics, nil
}

// A group is the set of sequences that a metric covers.
type group struct {
	name     string
	includes func(sequence string) bool
}

// groupsOf returns the group of all items, the group of every category that occurs,
// and the group of each sequence.
func groupsOf(sequences []string) []group {
	seen := map[string]bool{}
	for _, name := range sequences {
		seen[name] = true
	}
	names := slices.Sorted(maps.Keys(seen))
	groups := []group{{scope.All, func(string) bool { return true }}}
	for _, category := range []string{scope.Illumination, scope.Viewpoint} {
		s := group{category, func(sequence string) bool { return scope.Category(sequence) == category }}
		if slices.ContainsFunc(names, s.includes) {
			groups = append(groups, s)
		}
	}
	for _, name := range names {
		groups = append(groups, group{"scene:" + name, func(sequence string) bool { return sequence == name }})
	}
	return groups
}

// means returns the metrics of the items of each group.
func means[R any](figures []figure[R], r *R, sequences []string) []scope.Metric {
	var list scope.List
	for _, s := range groupsOf(sequences) {
		for _, f := range figures {
			sum, n := 0.0, 0
			for i, sequence := range sequences {
				if s.includes(sequence) {
					sum += f.value(r, i)
					n++
				}
			}
			list.Add(s.name, f.metric, sum/float64(n), n, stats.NoInterval())
		}
	}
	return list.Metrics
}
