package y2017

import (
	"math"
	"slices"

	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// A Result holds the metrics of one descriptor.
type Result struct {
	Descriptor  string
	Split       string
	Protocol    Protocol
	Distance    patches.Distance
	PCAPowerLaw bool
	Tasks       []Task // that were run
	Sequences   []Sequence
	// Metrics are those over all sequences, over each category and of each sequence, in the
	// order of the split: pairs by the sequence of their first patch, queries by their
	// sequence. N is the number of patch pairs, image pairs or queries. Means over all
	// sequences have intervals if HasIntervals, except those of verification at a noise level
	// and those that balance the categories. The main metrics are catalogue.TaskMetrics, means
	// over all cells: three noise levels times two kinds of negatives in verification ("patch
	// verification mAP" in the paper), or times the pool sizes in retrieval.
	Metrics []scope.Metric
	Pairs   []MatchedPair // of matching, by noise level, sequence in split order, image
	// Queries[q][n][s] is the average precision of query q at noise level n and pool
	// size s, in the order of PoolSizes.
	Queries [][3][]float64
	Facts   []fact.Fact
}

// A MatchedPair is a reference image and another image of its sequence.
type MatchedPair struct {
	Sequence, Noise string
	K               int
	Patches         int
	Correct         int // patches whose nearest neighbour is their counterpart
	AP              float64
}

// Ran reports whether a task was run.
func (r *Result) Ran(t Task) bool { return slices.Contains(r.Tasks, t) }

// Metric returns a metric over all sequences, with the value NaN if it is undefined.
func (r *Result) Metric(name string) scope.Metric {
	return find(r.Metrics, name)
}

// find returns the first metric of a name, which is that of the largest scope, or NaN.
func find(metrics []scope.Metric, name string) scope.Metric {
	if i := slices.IndexFunc(metrics, func(m scope.Metric) bool { return m.Name == name }); i >= 0 {
		return metrics[i]
	}
	none := stats.NoInterval()
	return scope.Metric{Name: name, Value: math.NaN(), Low: none.Low, High: none.High}
}

// ByNoise returns the means at each noise level of a task that was run. Their mean is the main
// metric of the task.
func (r *Result) ByNoise(t Task) (means []float64) {
	name := map[Task][2]string{Verification: {"patch_verification_", "_imbalanced_ap"}, Matching: {"patch_matching_map_"}, Retrieval: {"patch_retrieval_mean_map_"}}[t]
	for _, noise := range Noises() {
		means = append(means, r.Metric(name[0]+noise+name[1]).Value)
	}
	return means
}

// HasIntervals reports whether means over all sequences have intervals.
func (r *Result) HasIntervals() bool { return len(r.Sequences) >= fewestSequences }

// fewestSequences is the smallest number of sequences with an interval.
const fewestSequences = 5
