package y2017

import (
	"fmt"

	"descbench/eval/scope"
	"descbench/eval/stats"
)

// Metrics returns the metrics in the form in which the program stores them: over all
// sequences, over each category and for each sequence. N is the number of patch
// pairs, image pairs or queries. Means over all sequences have intervals, except those of
// verification at a noise level and those that balance the categories.
func (r *Result) Metrics() []scope.Metric {
	metrics := r.Figures.metrics(scope.All)
	for i, m := range metrics {
		if v, ok := r.intervals[m.Name]; ok {
			metrics[i].Low, metrics[i].High = v.Low, v.High
		}
	}
	if r.Illumination != nil {
		metrics = append(metrics, r.Illumination.metrics(scope.Illumination)...)
	}
	if r.Viewpoint != nil {
		metrics = append(metrics, r.Viewpoint.metrics(scope.Viewpoint)...)
	}
	for _, s := range r.Sequences {
		metrics = append(metrics, s.metrics("scene:"+s.Name)...)
	}
	return metrics
}

func (f *Figures) metrics(of string) []scope.Metric {
	l := metricList{of: of}
	if v := f.Verification; v != nil {
		for n, noise := range Noises() {
			cells := v.noise(n)
			l.addCell(noise+"_inter", cells.Inter)
			l.addCell(noise+"_intra", cells.Intra)
			l.addCell(noise, cells.mean())
		}
		l.addCell("mean", *f.VerificationMean)
	}
	if m := f.Matching; m != nil {
		n := len(m.Pairs)
		l.addMean("matching_map", m.MAP, n)
		l.addMean("matching_success_rate", m.SuccessRate, n)
		if m.Balanced != nil {
			l.addMean("matching_map_balanced", *m.Balanced, n)
		}
	}
	if r := f.Retrieval; r != nil {
		n := 3 * len(r.Queries)
		for _, size := range PoolSizes() {
			l.addMean(fmt.Sprintf("retrieval_map_%d", size), r.MAP.at(size), n)
		}
		for i, v := range f.ByNoise(Retrieval) {
			l.add("retrieval_mean_map_"+Noises()[i], Share(v), len(r.Queries))
		}
		l.add("retrieval_mean_map", r.meanOfPools(), n)
		if r.FirstDistractors != nil {
			l.addMean("retrieval_map_first_2000", *r.FirstDistractors, n)
		}
	}
	return l.Metrics
}

// A metricList collects the metrics of one scope, without intervals.
type metricList struct {
	scope.List
	of string
}

func (l *metricList) add(name string, v Share, n int) {
	l.Add(l.of, "patch_"+name, float64(v), n, stats.NoInterval())
}

func (l *metricList) addCell(name string, c VerificationCell) {
	l.add("verification_"+name+"_balanced_auc", c.BalancedAUC, c.BalancedPairs)
	l.add("verification_"+name+"_imbalanced_ap", c.ImbalancedAP, c.ImbalancedPairs)
}

// addMean appends the mean over noise levels; n is the number of items in all three.
func (l *metricList) addMean(name string, m NoiseMean, n int) {
	for i, v := range m.noises() {
		l.add(name+"_"+Noises()[i], v, n/3)
	}
	l.add(name+"_mean", m.Mean, n)
}
