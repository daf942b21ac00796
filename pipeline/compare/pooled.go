package compare

import (
	"maps"
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/matching"
)

// pooled returns a function that computes a metric over all pairs or queries of scenes
// together, each scene as often as times says, nil: once.
func (d *Descriptor) pooled(metric *catalogue.Metric, scenes []string) func(times []uint8) float64 {
	pairs := make([][]float64, len(scenes))
	for i, scene := range scenes {
		pairs[i] = d.Scenes[scene].Pairs
	}
	switch metric.Pooled {
	case catalogue.AsArea:
		for i, areas := range pairs {
			pairs[i] = make([]float64, len(areas))
			for k, area := range areas {
				pairs[i][k] = cornerError(area, metric.K)
			}
		}
		values := matching.NewPairValues(pairs)
		return func(times []uint8) float64 { return values.AUC(times, metric.K) }
	case catalogue.AsMedian:
		return matching.NewPairValues(pairs).Median
	}
	return d.mean(scenes, func(s SceneValue) float64 { return float64(s.N) })
}

// mean returns a function that computes the mean over scenes by their weights, each as often as
// times says, nil: once.
func (d *Descriptor) mean(scenes []string, weight func(SceneValue) float64) func(times []uint8) float64 {
	return func(times []uint8) float64 {
		sum, n := 0.0, 0.0
		for i, scene := range scenes {
			s, often := d.Scenes[scene], 1.0
			if times != nil {
				often = float64(times[i])
			}
			sum += float64(often * s.Value * weight(s))
			n += float64(often * weight(s))
		}
		return sum / n
	}
}

// cornerError returns the corner error of a pair whose only estimate has this AUC: 1 −
// error/(2·limit) if the error is below the limit, else 0.
func cornerError(auc, limit float64) float64 {
	if auc == 0 {
		return math.Inf(1)
	}
	return 2 * limit * (1 - auc)
}

// canPool reports whether pooled computes the value that the run has over all scenes. It
// does not compute AUC of classification, nor of several estimates of a pair.
func (d *Descriptor) canPool(metric *catalogue.Metric) bool {
	return math.Abs(d.pooled(metric, d.defined())(nil)-d.Pooled) < same
}

// same is the largest difference of two values that are the same but for rounding.
const same = 1e-9

// defined returns the scenes in which the metric is defined, sorted.
func (d *Descriptor) defined() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(d.Scenes)), func(scene string) bool { return math.IsNaN(d.Scenes[scene].Value) })
}
