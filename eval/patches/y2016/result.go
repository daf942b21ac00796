package y2016

import (
	"maps"
	"slices"

	"descbench/eval/patches/internal/rank"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// A Result holds the metrics of a benchmark of matching or retrieval, which are means over its
// items: image pairs or queries.
type Result struct {
	Sequences []string // of the items
	Figures   []Figure
}

// A Figure is a mean over the items.
type Figure struct {
	Metric string
	Curve  string // name of its mean curve; "" without one
	Mean   float64
	Values []float64 // by item; nil if only the mean is known

	ranks [][]int // of the relevant patches, by item, for the curve
}

// add adds the average precision of an item by the ranks of its relevant patches, divided by their
// number, as in the benchmark of 2016. Those at infinite distance have no rank.
func (f *Figure) add(ranks []int, relevant int) {
	f.Values = append(f.Values, rank.StepAP(ranks, relevant))
	f.ranks = append(f.ranks, ranks)
}

// setMeans sets the means of the figures that have values.
func (r *Result) setMeans() {
	for i, f := range r.Figures {
		sum := 0.0
		for _, v := range f.Values {
			sum += v
		}
		r.Figures[i].Mean = sum / float64(len(f.Values))
	}
}

// Mean returns the mean over the results of benchmarks of one task, with equal weights. It has no
// items.
func Mean(list []*Result) *Result {
	mean := &Result{}
	for i, f := range list[0].Figures {
		if f.Values == nil {
			continue
		}
		sum := 0.0
		for _, r := range list {
			sum += r.Figures[i].Mean / float64(len(list))
		}
		mean.Figures = append(mean.Figures, Figure{Metric: f.Metric, Mean: sum})
	}
	return mean
}

// Metrics returns the means over the items of each scope: all, a category, or a sequence. N is the
// number of items.
func (r *Result) Metrics() []scope.Metric {
	var list scope.List
	for _, g := range groupsOf(r.Sequences) {
		for _, f := range r.Figures {
			sum, n := 0.0, 0
			for i, v := range f.Values {
				if g.includes(r.Sequences[i]) {
					sum += v
					n++
				}
			}
			list.Add(g.name, f.Metric, sum/float64(n), n, stats.NoInterval()) // if there are values
		}
	}
	for _, f := range r.Figures {
		if f.Values == nil {
			list.Add(scope.All, f.Metric, f.Mean, len(r.Sequences), stats.NoInterval())
		}
	}
	return list.Metrics
}

// A MeanCurve is the mean of precision-recall curves at recalls 0, 0.01, .., 1. Recall is
// relative to the relevant items found, as in the average precisions. The precision of a
// curve at a recall is the maximum over this and all higher recalls (Manning, Raghavan,
// Schütze, Introduction to Information Retrieval, 2008, section 8.4), or 0 if nothing
// relevant is found.
type MeanCurve [101]float64

// MeanCurve returns the mean curve over the items.
func (f *Figure) MeanCurve() (c MeanCurve) {
	for _, ranks := range f.ranks {
		best, found := 0.0, len(ranks)
		for level := len(c) - 1; level >= 0; level-- {
			// The points with a recall found/len(ranks) of at least level/100.
			for ; found > 0 && 100*found >= level*len(ranks); found-- {
				best = max(best, float64(found)/float64(ranks[found-1]))
			}
			c[level] += best
		}
	}
	for level := range c {
		c[level] /= float64(len(f.ranks))
	}
	return c
}

// A group is the set of sequences that a metric covers.
type group struct {
	name     string
	includes func(sequence string) bool
}

// everything is the group of all items.
var everything = group{scope.All, func(string) bool { return true }}

// groupsOf returns the group of all items, the group of every category that occurs,
// and the group of each sequence.
func groupsOf(sequences []string) []group {
	seen := map[string]bool{}
	for _, name := range sequences {
		seen[name] = true
	}
	names := slices.Sorted(maps.Keys(seen))
	groups := []group{everything}
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
