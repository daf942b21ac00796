package config

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// A Setup is what the results of one descriptor depend on, with all defaults: the
// steps that make its keypoints, its own settings, its matcher, the rules of the
// evaluation and the size of the images. Names and the split of the steps into
// keypoint sets do not matter.
type Setup []part

// A part is a step of a keypoint set, or a section.
type part struct {
	name string // "top", "descriptor"
	tree *yaml.Node
}

// The parts of a Setup that are no steps.
const (
	DescriptorPart = "descriptor"
	MatcherPart    = "matcher"
	EvaluationPart = "evaluation"
	datasetPart    = "dataset"
	OtherSide      = "other side: " // before the steps of the other side of an intersection
)

// Setup returns the set-up of a descriptor of the config, which must be loaded.
func (c *Config) Setup(d Descriptor) Setup {
	var s Setup
	graph := c.Graph()
	if set := c.SetOf(d); set != "" {
		s = append(s, stepsOf(graph, graph.Chain(set), "")...)
	}
	m := c.MatcherOf(d)
	s = append(s, newPart(DescriptorPart, descriptor(&d).encode(results), "name", "keypoints", "matcher"))
	s = append(s, newPart(MatcherPart, matcher(&m).encode(results)))
	e := c.Evaluation
	left := []string{"matcher"}
	if !e.ExcludeInvalid {
		left = append(left, "exclude_invalid_truths") // has no effect
	}
	s = append(s, newPart(EvaluationPart, evaluation(&e).encode(results), left...))
	return append(s, newPart(datasetPart, valueOf(allSections(c).encode(results), "dataset"), "scenes", "subset"))
}

// Uses reports whether a detector or the descriptor is of the type.
func (s Setup) Uses(name string) bool {
	return slices.ContainsFunc(s, func(p part) bool { return p.typ() == name })
}

// stepsOf returns the steps of a chain of sets. Those of the other side of an
// intersection stand before it.
func stepsOf(g Graph, chain []*KeypointSet, side string) Setup {
	var s Setup
	for i, set := range chain {
		if x := set.Intersect; x != nil && side == "" {
			other := x.B
			if slices.Equal(g.Chain(x.B), chain[:i]) {
				other = x.A
			}
			s = append(s, stepsOf(g, g.Chain(other), OtherSide)...)
		}
		tree := keypointSet(set).encode(results)
		names, values := mappingEntries(tree)
		for _, name := range names {
			if name == "name" || name == "from" {
				continue
			}
			p := newPart(side+name, values[name], "a", "b")
			if key, _ := set.Total(); key == name+".total" {
				p.name += " in total"
			}
			s = append(s, p)
		}
	}
	return s
}

// newPart returns a part of the values in a tree, without some keys.
func newPart(name string, tree *yaml.Node, without ...string) part {
	p := part{name, tree}
	if tree.Kind == yaml.MappingNode {
		p.tree = &yaml.Node{Kind: yaml.MappingNode}
		names, values := mappingEntries(tree)
		for _, name := range names {
			if !slices.Contains(without, name) {
				p.tree.Content = append(p.tree.Content, textNode(name), values[name])
			}
		}
	}
	return p
}

// typ returns the type of a detector or descriptor, "" of other parts.
func (p part) typ() string {
	if n := valueOf(p.tree, "type"); n != nil {
		return n.Value
	}
	return ""
}

// A Difference is a Change between two set-ups, of a key within a part. Key is "" for a part that
// only one of the two has, and for one that is a single value. Part is "" for the order of the parts.
type Difference struct {
	Part string
	Change
}

// String returns "top.per_image: ours 500, published 8000".
func (d Difference) String() string {
	switch {
	case d.Part == "":
		return Deviation("order of steps", d.Was, d.Is)
	case d.Key == "" && d.Is == Absent:
		return fmt.Sprintf("%s %s is not in the published set-up", d.Part, d.Was)
	case d.Key == "" && d.Was == Absent:
		return fmt.Sprintf("%s %s is in the published set-up only", d.Part, d.Is)
	}
	name := d.Part
	if d.Part == DescriptorPart || d.Part == EvaluationPart || d.Part == datasetPart {
		name = d.Key
	} else if d.Key != "" {
		name += "." + d.Key
	}
	return Deviation(name, setOrNot(d.Was), setOrNot(d.Is))
}

// DifferencesFrom lists every point in which a set-up differs from another one. The values of
// different types of detectors or descriptors are not compared.
func (s Setup) DifferencesFrom(other Setup) []Difference {
	var out []Difference
	left := slices.Clone(other)
	var ours, theirs []string // names of the parts of both, in order
	for _, p := range s {
		changes := []Change{{"", brief(p.tree), Absent}}
		if i := slices.IndexFunc(left, func(q part) bool { return q.name == p.name }); i >= 0 {
			ours = append(ours, p.name)
			changes = diff("", p.tree, left[i].tree)
			if a, b := p.typ(), left[i].typ(); a != b {
				changes = []Change{{"type", a, b}}
			}
			left = slices.Delete(left, i, i+1)
		}
		for _, c := range changes {
			out = append(out, Difference{p.name, c})
		}
	}
	for _, p := range left {
		out = append(out, Difference{p.name, Change{"", Absent, brief(p.tree)}})
	}
	for _, p := range other {
		if slices.Contains(ours, p.name) {
			theirs = append(theirs, p.name)
		}
	}
	if !slices.Equal(ours, theirs) {
		out = append(out, Difference{"", Change{"", fmt.Sprint(ours), fmt.Sprint(theirs)}})
	}
	return out
}

// setOrNot returns a value in words.
func setOrNot(value string) string {
	if value == Absent {
		return "not set"
	}
	return value
}

// Deviation says how a value differs from the published one.
func Deviation(key, ours, published string) string {
	return fmt.Sprintf("%s: ours %s, published %s", key, ours, published)
}
