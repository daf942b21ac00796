package config

import (
	"fmt"
	"slices"
	"strings"

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

// A Difference is one point in which a set-up differs from another one.
type Difference struct {
	Part, Key string // Key is "" for a part that only one of the two has, or for their order
	Text      string // "top.per_image: ours 500, published 8000"
}

// DifferencesFrom lists every point in which a set-up differs from another one.
func (s Setup) DifferencesFrom(other Setup) []Difference {
	var out []Difference
	add := func(part, key, format string, args ...any) {
		out = append(out, Difference{part, key, fmt.Sprintf(format, args...)})
	}
	left := slices.Clone(other)
	var ours, theirs []string // names of the parts of both, in order
	for _, p := range s {
		i := slices.IndexFunc(left, func(q part) bool { return q.name == p.name })
		if i < 0 {
			add(p.name, "", "%s %s is not in the published set-up", p.name, brief(p.tree))
			continue
		}
		ours = append(ours, p.name)
		for _, d := range p.differencesFrom(left[i]) {
			add(p.name, d.Key, "%s", d.Text)
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, p := range left {
		add(p.name, "", "%s %s is in the published set-up only", p.name, brief(p.tree))
	}
	for _, p := range other {
		if slices.Contains(ours, p.name) {
			theirs = append(theirs, p.name)
		}
	}
	if !slices.Equal(ours, theirs) {
		add("", "", "%s", Deviation("order of steps", fmt.Sprint(ours), fmt.Sprint(theirs)))
	}
	return out
}

// differencesFrom compares the values of two parts of the same name. The values of
// different types cannot be compared.
func (p part) differencesFrom(other part) []Difference {
	changes := diff("", p.tree, other.tree)
	if a, b := p.typ(), other.typ(); a != b {
		changes = []Change{{"type", a, b}}
	}
	var out []Difference
	for _, c := range changes {
		name := strings.TrimSuffix(p.name+"."+c.Key, ".")
		if p.name == DescriptorPart || p.name == EvaluationPart || p.name == datasetPart {
			name = c.Key
		}
		out = append(out, Difference{Key: c.Key, Text: Deviation(name, setOrNot(c.Was), setOrNot(c.Is))})
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
