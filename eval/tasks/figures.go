package tasks

import (
	"math"

	"descbench/eval"
	"descbench/eval/stats"
)

// A part is a scene's part in a figure: a sum over n things.
type part struct {
	sum float64
	n   int
}

var noInterval = stats.Interval{Low: math.NaN(), High: math.NaN()}

// A scope is the scenes that figures cover.
type scope struct {
	name   string
	scenes []string
}

// scopes returns all scopes with scenes, in fixed order: all, categories, and
// scenes.
func scopes(scenes []string) []scope {
	out := []scope{{name: "all", scenes: scenes}}
	for _, category := range []string{eval.Viewpoint, eval.Illumination, eval.Other} {
		var members []string
		for _, s := range scenes {
			if eval.Category(s) == category {
				members = append(members, s)
			}
		}
		if len(members) > 0 {
			out = append(out, scope{name: category, scenes: members})
		}
	}
	for i, s := range scenes {
		out = append(out, scope{name: "scene:" + s, scenes: scenes[i : i+1]})
	}
	return out
}

// names returns the scopes and names under which a figure stands: that of a
// category is also one of all scenes, under the category's own name.
func (s scope) names(name, ofCategory string) []eval.Metric {
	out := []eval.Metric{{Scope: s.name, Name: name}}
	if ofCategory != "" && (s.name == eval.Viewpoint || s.name == eval.Illumination) {
		out = append(out, eval.Metric{Scope: "all", Name: ofCategory})
	}
	return out
}

// A metricList collects metrics in order.
type metricList struct {
	list       []eval.Metric
	bootstraps *stats.Bootstraps
}

// add adds a figure over n things under every name, unless it is undefined.
func (l *metricList) add(names []eval.Metric, value float64, interval stats.Interval, n int) {
	if n == 0 || math.IsNaN(value) {
		return
	}
	for _, m := range names {
		m.Value, m.Low, m.High, m.N = value, interval.Low, interval.High, n
		l.list = append(l.list, m)
	}
}

// ratio adds Σ sums / Σ numbers, with its interval over the scenes that have
// any.
func (l *metricList) ratio(names []eval.Metric, parts []part) {
	var sums, numbers []float64
	sum, n := 0.0, 0
	for _, p := range parts {
		if p.n > 0 {
			sum += p.sum
			n += p.n
			sums = append(sums, p.sum)
			numbers = append(numbers, float64(p.n))
		}
	}
	if n > 0 {
		l.add(names, sum/float64(n), l.bootstraps.Of(len(sums)).Ratio(sums, numbers), n)
	}
}
