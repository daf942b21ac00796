package matching

import (
	"fmt"
	"maps"
	"slices"

	"descbench/eval"
)

// A Subset is scenes that have figures of their own, such as the 108 scenes of
// HPatches that D2-Net and others evaluate on.
type Subset struct {
	Name     string
	Contains func(scene string) bool
}

// A scope is the pairs that one set of figures covers.
type scope struct {
	name   string
	scenes []sceneTally // by name
}

// scopes returns all scopes in the order of a Result: all, the categories, the
// subsets with their categories, the pairs of one K, single scenes, single pairs.
func scopes(scenes []sceneTally, subsets []Subset) []scope {
	out := append([]scope{{"all", scenes}}, categories("", scenes)...)
	for _, s := range subsets {
		in := filter(scenes, s.Contains)
		if len(in) == 0 {
			continue
		}
		name := "subset:" + s.Name
		out = append(out, scope{name, in})
		out = append(out, categories(name+"/", in)...)
	}
	byK := make(map[int32][]sceneTally)
	for _, s := range scenes {
		for _, p := range s.pairs {
			byK[p.pair.K] = append(byK[p.pair.K], sceneTally{s.name, []*pairTally{p}})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(byK)) {
		out = append(out, scope{fmt.Sprintf("k:%d", k), byK[k]})
	}
	for _, s := range scenes {
		out = append(out, scope{"scene:" + s.name, []sceneTally{s}})
	}
	for _, s := range scenes {
		for _, p := range s.pairs {
			out = append(out, scope{fmt.Sprintf("pair:%s/1_%d", s.name, p.pair.K), []sceneTally{{s.name, []*pairTally{p}}}})
		}
	}
	return out
}

// categories returns a scope for each category that has scenes.
func categories(prefix string, scenes []sceneTally) []scope {
	var out []scope
	for _, c := range []string{eval.Viewpoint, eval.Illumination, eval.Other} {
		in := filter(scenes, func(scene string) bool { return eval.Category(scene) == c })
		if len(in) > 0 {
			out = append(out, scope{prefix + c, in})
		}
	}
	return out
}

func filter(scenes []sceneTally, keep func(scene string) bool) []sceneTally {
	var out []sceneTally
	for _, s := range scenes {
		if keep(s.name) {
			out = append(out, s)
		}
	}
	return out
}

// pairs returns the pairs of the scope, in the order of all sums.
func (s scope) pairs() []*pairTally {
	var out []*pairTally
	for _, scene := range s.scenes {
		out = append(out, scene.pairs...)
	}
	return out
}
