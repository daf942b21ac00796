package eval

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
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

// hits returns the number of processed queries with rank ≤ k.
func (s scope) hits(k int) int {
	n := 0
	for _, scene := range s.scenes {
		for _, p := range scene.pairs {
			n += p.hits(k)
		}
	}
	return n
}

// overScenes returns the mean of a figure over the scenes that have it, and
// how many have.
func overScenes(scenes []sceneTally, figure func(tally) float64) (value float64, n int) {
	sum := 0.0
	for _, s := range scenes {
		if v := figure(s.tally()); !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return mean(sum, n), n
}

// metrics returns the figures of the scope that are defined, in fixed order.
func (s scope) metrics(cutoffs []int) []Metric {
	var out []Metric
	add := func(name string, value float64, n int) {
		if !math.IsNaN(value) {
			out = append(out, Metric{Scope: s.name, Name: name, Value: value, Low: math.NaN(), High: math.NaN(), N: n})
		}
	}
	addMacro := func(name string, scenes []sceneTally, figure func(tally) float64) {
		value, n := overScenes(scenes, figure)
		add(name, value, n)
	}
	t := s.tally()

	add("true_map_micro", t.trueMAP(), t.processed)
	if s.macro {
		addMacro("true_map_macro_by_scene", s.scenes, tally.trueMAP)
	}
	if s.mixed {
		for _, c := range []string{Viewpoint, Illumination} {
			in := ofCategory(s.scenes, c)
			of := scope{scenes: in}.tally()
			addMacro(c+"_map", in, tally.trueMAP)
			add(c+"_map_micro", of.trueMAP(), of.processed)
		}
	}
	add("true_map_micro_including_zeros", t.trueMAPIncludingZeros(), t.queries)
	if s.macro {
		addMacro("true_map_macro_by_scene_including_zeros", s.scenes, tally.trueMAPIncludingZeros)
	}
	if s.mixed {
		for _, c := range []string{Viewpoint, Illumination} {
			addMacro(c+"_map_including_zeros", ofCategory(s.scenes, c), tally.trueMAPIncludingZeros)
		}
	}
	add("mean_precision", t.meanPrecision(), t.pairs)
	if s.macro {
		addMacro("legacy_macro_precision_by_scene", s.scenes, tally.meanPrecision)
	}
	// With one relevant candidate per query the two are one figure; users of
	// either name find it.
	for _, name := range []string{"precision_at_", "recall_at_"} {
		for _, k := range cutoffs {
			add(name+strconv.Itoa(k), mean(float64(s.hits(k)), t.processed), t.processed)
		}
	}
	add("coverage", mean(float64(t.processed), t.queries), t.queries)
	add("mean_gallery_size", mean(float64(t.candidates), t.processed), t.processed)
	add("total_queries_processed", float64(t.processed), t.queries)
	add("total_queries_excluded", float64(t.queries-t.processed), t.queries)
	add("total_matches", float64(t.matches), t.queries)
	add("total_keypoints", float64(t.keypoints), t.images)
	add("total_invalid_rows", float64(t.invalid), t.keypoints)
	return out
}
