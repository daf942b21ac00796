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
	name  string // "top", "descriptor"
	brief string // the whole part on one line
	// values are in the order of the keys. The key of a part that is one value is "".
	values []partValue
}

type partValue struct{ key, text string }

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
	v := known()
	var s Setup
	graph := c.Graph()
	if set := c.SetOf(d); set != "" {
		s = append(s, v.steps(graph, graph.Chain(set), "")...)
	}
	m := c.MatcherOf(d)
	s = append(s, newPart(DescriptorPart, v.descriptor(&d).encode(results), "name", "keypoints", "matcher"))
	s = append(s, newPart(MatcherPart, matcher(&m).encode(results)))
	e := c.Evaluation
	left := []string{"matcher"}
	if !e.ExcludeInvalid {
		left = append(left, "exclude_invalid_truths") // has no effect
	}
	s = append(s, newPart(EvaluationPart, evaluation(&e).encode(results), left...))
	return append(s, newPart(datasetPart, valueOf(v.config(c).encode(results), "dataset"), "scenes", "subset"))
}

// Uses reports whether a detector or the descriptor is of the type.
func (s Setup) Uses(name string) bool {
	return slices.ContainsFunc(s, func(p part) bool { return p.texts()["type"] == name })
}

// steps returns the steps of a chain of sets. Those of the other side of an
// intersection stand before it.
func (v vocabulary) steps(g Graph, chain []*KeypointSet, side string) Setup {
	var s Setup
	for i, set := range chain {
		if x := set.Intersect; x != nil && side == "" {
			other := x.B
			if slices.Equal(g.Chain(x.B), chain[:i]) {
				other = x.A
			}
			s = append(s, v.steps(g, g.Chain(other), OtherSide)...)
		}
		tree := v.keypointSet(set).encode(results)
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
	p := part{name: name, brief: brief(tree)}
	var walk func(key string, n *yaml.Node)
	walk = func(key string, n *yaml.Node) {
		if n.Kind != yaml.MappingNode {
			p.values = append(p.values, partValue{key, brief(n)})
			return
		}
		names, values := mappingEntries(n)
		for _, name := range names {
			if key != "" || !slices.Contains(without, name) {
				walk(strings.TrimPrefix(key+"."+name, "."), values[name])
			}
		}
	}
	walk("", tree)
	return p
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
			add(p.name, "", "%s %s is not in the published set-up", p.name, p.brief)
			continue
		}
		ours = append(ours, p.name)
		for _, d := range p.differencesFrom(left[i]) {
			add(p.name, d.Key, "%s", d.Text)
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, p := range left {
		add(p.name, "", "%s %s is in the published set-up only", p.name, p.brief)
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
	var out []Difference
	ours, theirs := p.texts(), other.texts()
	if a, b := ours["type"], theirs["type"]; a != b {
		return []Difference{{Key: "type", Text: p.differs("type", a, b)}}
	}
	for _, v := range p.values {
		if their, there := theirs[v.key]; !there {
			out = append(out, Difference{Key: v.key, Text: p.differs(v.key, v.text, "not set")})
		} else if v.text != their {
			out = append(out, Difference{Key: v.key, Text: p.differs(v.key, v.text, their)})
		}
	}
	for _, v := range other.values {
		if _, there := ours[v.key]; !there {
			out = append(out, Difference{Key: v.key, Text: p.differs(v.key, "not set", v.text)})
		}
	}
	return out
}

func (p part) differs(key, ours, theirs string) string {
	name := strings.TrimSuffix(p.name+"."+key, ".")
	if p.name == DescriptorPart || p.name == EvaluationPart || p.name == datasetPart {
		name = key
	}
	return Deviation(name, ours, theirs)
}

// Deviation says how a value differs from the published one.
func Deviation(key, ours, published string) string {
	return fmt.Sprintf("%s: ours %s, published %s", key, ours, published)
}

func (p part) texts() map[string]string {
	m := make(map[string]string, len(p.values))
	for _, v := range p.values {
		m[v.key] = v.text
	}
	return m
}
