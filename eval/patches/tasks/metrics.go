package tasks

import (
	"fmt"
	"math"

	"descbench/eval"
)

// Metrics returns the metrics in the form in which the program stores them: over all
// sequences, over each category and for each sequence. N is the number of patch
// pairs, image pairs or queries.
func (r *Result) Metrics() []eval.Metric {
	metrics := r.Figures.metrics(all)
	if r.Illumination != nil {
		metrics = append(metrics, r.Illumination.metrics(eval.Illumination)...)
	}
	if r.Viewpoint != nil {
		metrics = append(metrics, r.Viewpoint.metrics(eval.Viewpoint)...)
	}
	for _, s := range r.Sequences {
		metrics = append(metrics, s.metrics("scene:"+s.Name)...)
	}
	return metrics
}

func (f *Figures) metrics(scope string) []eval.Metric {
	var l metricList
	if v := f.Verification; v != nil {
		for n, noise := range Noises() {
			cells := v.noise(n)
			l.addCell(scope, noise+"_inter", cells.Inter)
			l.addCell(scope, noise+"_intra", cells.Intra)
		}
		l.addCell(scope, "mean", *f.VerificationMean)
	}
	if m := f.Matching; m != nil {
		n := len(m.Pairs)
		l.addMean(scope, "matching_map", m.MAP, n)
		l.addMean(scope, "matching_success_rate", m.SuccessRate, n)
		if m.Balanced != nil {
			l.addMean(scope, "matching_map_balanced", *m.Balanced, n)
		}
	}
	if r := f.Retrieval; r != nil {
		n := 3 * len(r.Queries)
		for _, size := range PoolSizes() {
			l.addMean(scope, fmt.Sprintf("retrieval_map_%d", size), r.MAP.at(size), n)
		}
		if r.FirstDistractors != nil {
			l.addMean(scope, "retrieval_map_first_2000", *r.FirstDistractors, n)
		}
	}
	return l
}

type metricList []eval.Metric

// add appends a metric unless its value is undefined.
func (l *metricList) add(scope, name string, v Share, n int) {
	if !math.IsNaN(float64(v)) {
		*l = append(*l, eval.Metric{Scope: scope, Name: "patch_" + name, Value: float64(v), Low: math.NaN(), High: math.NaN(), N: n})
	}
}

func (l *metricList) addCell(scope, name string, c VerificationCell) {
	l.add(scope, "verification_"+name+"_balanced_auc", c.BalancedAUC, c.BalancedPairs)
	l.add(scope, "verification_"+name+"_imbalanced_ap", c.ImbalancedAP, c.ImbalancedPairs)
}

// addMean appends the mean over noise levels; n is the number of items in all three.
func (l *metricList) addMean(scope, name string, m NoiseMean, n int) {
	for i, v := range []Share{m.Easy, m.Hard, m.Tough} {
		l.add(scope, name+"_"+Noises()[i], v, n/3)
	}
	l.add(scope, name+"_mean", m.Mean, n)
}
