package scope

import (
	"math"

	"descbench/eval/spelling"
	"descbench/eval/stats"
)

// A Fraction is a mean as a sum and the number N of its terms.
type Fraction struct {
	Sum float64
	N   int
}

// Value returns the mean, NaN if N is 0.
func (f Fraction) Value() float64 {
	if f.N == 0 {
		return math.NaN()
	}
	return f.Sum / float64(f.N)
}

// Plus returns the mean over the terms of both.
func (f Fraction) Plus(g Fraction) Fraction { return Fraction{f.Sum + g.Sum, f.N + g.N} }

// A List collects metrics in order. Means over at least stats.FewestScenes scenes get
// 95 % intervals by the cluster bootstrap over scenes, or over groups of scenes if there are enough
// (stats.Bootstrap, stats.Cluster, seed 1). A
// category resamples its own scenes.
type List struct{ Metrics []Metric }

// Add adds a metric over n items, unless its value is undefined (NaN).
func (l *List) Add(scope, name string, value float64, n int, interval stats.Interval) {
	if !math.IsNaN(value) {
		l.Metrics = append(l.Metrics, Metric{Scope: scope, Name: name, Value: value, Low: interval.Low, High: interval.High, N: n})
	}
}

// Count adds a count out of n. It has no interval, because it is not an estimate.
func (l *List) Count(scope, name string, count, n int) {
	l.Metrics = append(l.Metrics, Metric{Scope: scope, Name: name, Value: float64(count), Low: math.NaN(), High: math.NaN(), N: n})
}

// Micro adds a mean over the items of all scenes, such as queries or pairs:
// Σ Sum / Σ N. Its interval is over the scenes with N > 0.
func Micro[T any](l *List, scope, name string, scenes []Scene[T], of func(Scene[T]) Fraction) {
	var all Fraction
	var sums, numbers []float64
	var groups []string
	for _, s := range scenes {
		f := of(s)
		all = all.Plus(f)
		if f.N > 0 {
			sums, numbers, groups = append(sums, f.Sum), append(numbers, float64(f.N)), append(groups, Group(s.Name))
		}
	}
	c := stats.Cluster(groups)
	l.Add(scope, name, all.Value(), all.N, stats.Resamples(c.Len()).Ratio(c.Sums(sums), c.Sums(numbers)))
}

// Macro adds the mean over the scenes with N > 0 of the scene's mean, and its
// interval.
func Macro[T any](l *List, scope, name string, scenes []Scene[T], of func(Scene[T]) Fraction) {
	Micro(l, scope, name, scenes, func(s Scene[T]) Fraction {
		if f := of(s); f.N > 0 {
			return Fraction{f.Value(), 1}
		}
		return Fraction{}
	})
}

// Groups returns the number of groups of scenes.
func Groups[T any](scenes []Scene[T]) int {
	groups := make(map[string]bool)
	for _, s := range scenes {
		groups[Group(s.Name)] = true
	}
	return len(groups)
}

// Clusters returns the clusters of scenes, which resamples draw.
func Clusters[T any](scenes []Scene[T]) stats.Clustering {
	return stats.Cluster(spelling.Words(scenes, func(s Scene[T]) string { return Group(s.Name) }))
}
