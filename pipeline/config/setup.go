package config

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// A Setup is what the results of one descriptor depend on, with all defaults, as the values of
// its parts: the steps that make its keypoints, in their order, its own settings, its matcher,
// the rules of the evaluation and the size of the images. Names and the split of the steps into
// keypoint sets do not matter.
type Setup struct {
	names []string // "top", "descriptor"
	parts map[string]*yaml.Node
}

// The parts of a Setup that are no steps.
const (
	DescriptorPart = "descriptor"
	MatcherPart    = "matcher"
	OtherSide      = "other side: " // before the steps of the other side of an intersection
)

// Setup returns the set-up of a descriptor of the config, which must be loaded.
func (c *Config) Setup(d Descriptor) Setup {
	s := Setup{parts: make(map[string]*yaml.Node)}
	graph := c.Graph()
	if set := c.SetOf(d); set != "" {
		s.addSteps(graph, graph.Chain(set), "")
	}
	m := c.MatcherOf(d)
	s.add(DescriptorPart, descriptor(&d).encode(results), "name", "keypoints", "matcher")
	s.add(MatcherPart, matcher(&m).encode(results))
	e := c.Evaluation
	left := []string{"matcher"}
	if !e.ExcludeInvalid {
		left = append(left, "exclude_invalid_truths") // has no effect
	}
	s.add("evaluation", evaluation(&e).encode(results), left...)
	s.add("dataset", valueOf(allSections(c).encode(results), "dataset"), "scenes", "subset")
	return s
}

// Uses reports whether a detector or the descriptor is of the type.
func (s Setup) Uses(name string) bool {
	return slices.ContainsFunc(s.names, func(part string) bool { return s.typeOf(part) == name })
}

// typeOf returns the type of a part that is a detector or descriptor, "" of other parts.
func (s Setup) typeOf(part string) string {
	if n := valueAt(s.parts[part], "type"); n != nil {
		return n.Value
	}
	return ""
}

// addSteps adds the steps of a chain of sets. Those of the other side of an intersection
// stand before it.
func (s *Setup) addSteps(g Graph, chain []*KeypointSet, side string) {
	for i, set := range chain {
		if x := set.Intersect; x != nil && side == "" {
			other := x.B
			if slices.Equal(g.Chain(x.B), chain[:i]) {
				other = x.A
			}
			s.addSteps(g, g.Chain(other), OtherSide)
		}
		names, values := entries(keypointSet(set).encode(results))
		for _, name := range names {
			part := side + name
			if name == "top" && set.TakesTotal() {
				part += " in total"
			}
			if name != "name" && name != "from" {
				s.add(part, values[name], "a", "b")
			}
		}
	}
}

// add adds a part without some of its keys. A step that is there already is a further one.
func (s *Setup) add(name string, tree *yaml.Node, without ...string) {
	for s.parts[name] != nil {
		name = "further " + name
	}
	if tree.Kind == yaml.MappingNode {
		all := tree.Content
		tree = &yaml.Node{Kind: yaml.MappingNode}
		for i := 0; i < len(all); i += 2 {
			if !slices.Contains(without, all[i].Value) {
				tree.Content = append(tree.Content, all[i], all[i+1])
			}
		}
	}
	s.names, s.parts[name] = append(s.names, name), tree
}

// DifferencesFrom lists every point in which a set-up differs from another one: a key within a part, such as
// top.per_image, a part that only one of the two has, or the order of the parts. The values of
// different types of detectors or descriptors are not compared.
func (s Setup) DifferencesFrom(other Setup) (out []Change) {
	for _, name := range slices.Concat(s.names, without(other.names, s.names)) {
		ours, theirs := s.parts[name], other.parts[name]
		if a, b := s.typeOf(name), other.typeOf(name); ours != nil && theirs != nil && a != b {
			out = append(out, Change{name + ".type", a, b})
		} else {
			out = append(out, diff(name, ours, theirs)...)
		}
	}
	ours := without(s.names, without(s.names, other.names))
	theirs := without(other.names, without(other.names, s.names))
	if !slices.Equal(ours, theirs) {
		out = append(out, Change{"order of steps", fmt.Sprint(ours), fmt.Sprint(theirs)})
	}
	return out
}

// Deviation says how a value, Was, differs from the published one, Is.
func (c Change) Deviation() string {
	return fmt.Sprintf("%s: ours %s, published %s", c.Key, c.Was, c.Is)
}
