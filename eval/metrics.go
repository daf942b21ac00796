package eval

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/stats"
)

// A scope is the pairs that one set of figures covers.
type scope struct {
	name   string
	macro  bool         // has means over scenes
	mixed  bool         // has figures per category
	pair   bool         // is a single pair
	scenes []sceneTally // by name, none without pairs
}

// scopes returns all scopes in the order of a Result: all, the categories, the
// pairs of one K, single scenes, single pairs.
func scopes(scenes []sceneTally) []scope {
	out := []scope{{name: "all", macro: true, mixed: true, scenes: scenes}}
	for _, c := range []string{Viewpoint, Illumination, Other} {
		if in := ofCategory(scenes, c); len(in) > 0 {
			out = append(out, scope{name: c, macro: true, scenes: in})
		}
	}
	byK := make(map[int32][]sceneTally)
	for _, s := range scenes {
		for _, p := range s.pairs {
			byK[p.pair.K] = append(byK[p.pair.K], sceneTally{s.name, []*pairTally{p}})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(byK)) {
		out = append(out, scope{name: fmt.Sprintf("k:%d", k), macro: true, mixed: true, scenes: byK[k]})
	}
	for _, s := range scenes {
		out = append(out, scope{name: "scene:" + s.name, scenes: []sceneTally{s}})
	}
	for _, s := range scenes {
		for _, p := range s.pairs {
			out = append(out, scope{
				name:   fmt.Sprintf("pair:%s/1_%d", s.name, p.pair.K),
				pair:   true,
				scenes: []sceneTally{{s.name, []*pairTally{p}}},
			})
		}
	}
	return out
}

func ofCategory(scenes []sceneTally, category string) []sceneTally {
	var out []sceneTally
	for _, s := range scenes {
		if Category(s.name) == category {
			out = append(out, s)
		}
	}
	return out
}

// tally adds up the scenes.
func (s scope) tally() tally {
	var t tally
	for _, scene := range s.scenes {
		t.add(scene.tally())
	}
	return t
}

// A figure is a figure of one scene.
type figure func(sceneTally) fraction

// of returns the figure that is made of a scene's tally alone.
func of(f func(tally) fraction) figure {
	return func(s sceneTally) fraction { return f(s.tally()) }
}

// metrics returns the figures of the scope that are defined, in fixed order,
// with their intervals. Totals have none: they count, they do not estimate.
func (s scope) metrics(opt Options, intervals *resampler) []Metric {
	l := metricList{scope: s, intervals: intervals}
	l.micro("true_map_micro", s.scenes, of(tally.trueMAP))
	l.macro("true_map_macro_by_scene", s.scenes, of(tally.trueMAP))
	if s.mixed {
		for _, c := range []string{Viewpoint, Illumination} {
			in := ofCategory(s.scenes, c)
			l.macro(c+"_map", in, of(tally.trueMAP))
			l.micro(c+"_map_micro", in, of(tally.trueMAP))
		}
	}
	l.micro("true_map_micro_including_zeros", s.scenes, of(tally.trueMAPIncludingZeros))
	l.macro("true_map_macro_by_scene_including_zeros", s.scenes, of(tally.trueMAPIncludingZeros))
	if s.mixed {
		for _, c := range []string{Viewpoint, Illumination} {
			l.macro(c+"_map_including_zeros", ofCategory(s.scenes, c), of(tally.trueMAPIncludingZeros))
		}
	}
	l.micro("mean_precision", s.scenes, of(tally.meanPrecision))
	l.macro("legacy_macro_precision_by_scene", s.scenes, of(tally.meanPrecision))
	first := len(l.list)
	for _, k := range opt.Cutoffs {
		l.micro("precision_at_"+strconv.Itoa(k), s.scenes, func(s sceneTally) fraction { return s.hits(k) })
	}
	// With one relevant candidate per query the two are one figure; users of
	// either name find it.
	for _, m := range l.list[first:] {
		m.Name = "recall" + strings.TrimPrefix(m.Name, "precision")
		l.list = append(l.list, m)
	}
	l.micro("coverage", s.scenes, of(tally.coverage))
	l.micro("mean_gallery_size", s.scenes, of(tally.gallery))
	t := s.tally()
	if opt.FixedGallery {
		l.micro("fixed_gallery_map", s.scenes, of(tally.fixedGalleryMAP))
		l.macro("fixed_gallery_map_macro_by_scene", s.scenes, of(tally.fixedGalleryMAP))
		l.total("fixed_gallery_queries", t.inGallery, t.processed)
		l.total("fixed_gallery_pairs_left_out", t.galleryPairs, t.pairs)
	}
	l.total("total_queries_processed", t.processed, t.queries)
	l.total("total_queries_excluded", t.queries-t.processed, t.queries)
	l.total("total_matches", t.matches, t.queries)
	l.total("total_keypoints", t.keypoints, t.images)
	l.total("total_invalid_rows", t.invalid, t.keypoints)
	return l.list
}

// A metricList collects the metrics of one scope.
type metricList struct {
	scope     scope
	intervals *resampler // nil: none
	list      []Metric
}

// micro adds a mean over the queries or pairs of all scenes.
func (l *metricList) micro(name string, scenes []sceneTally, f figure) {
	var all fraction
	figures := f.over(scenes)
	for _, x := range figures {
		all.sum += x.sum
		all.n += x.n
	}
	l.add(name, all, figures, (*resampler).ratio)
}

// macro adds a mean over the scenes that have the figure. Single scenes and
// pairs have none.
func (l *metricList) macro(name string, scenes []sceneTally, f figure) {
	if !l.scope.macro {
		return
	}
	var all fraction
	figures := f.over(scenes)
	for _, x := range figures {
		if x.n > 0 {
			all.sum += x.value()
			all.n++
		}
	}
	l.add(name, all, figures, (*resampler).mean)
}

func (f figure) over(scenes []sceneTally) []fraction {
	out := make([]fraction, len(scenes))
	for i, s := range scenes {
		out[i] = f(s)
	}
	return out
}

// add adds a mean, unless there is nothing to take a mean of.
func (l *metricList) add(name string, all fraction, figures []fraction, bound func(*resampler, []fraction) stats.Interval) {
	if all.n == 0 {
		return
	}
	m := Metric{Scope: l.scope.name, Name: name, Value: all.value(), Low: math.NaN(), High: math.NaN(), N: all.n}
	if l.intervals != nil {
		interval := bound(l.intervals, figures)
		m.Low, m.High = interval.Low, interval.High
	}
	l.list = append(l.list, m)
}

// total adds a count out of n.
func (l *metricList) total(name string, count, n int) {
	l.list = append(l.list, Metric{Scope: l.scope.name, Name: name, Value: float64(count), Low: math.NaN(), High: math.NaN(), N: n})
}
