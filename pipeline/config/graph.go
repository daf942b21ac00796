package config

import (
	"fmt"
	"slices"

	"descbench/eval/spelling"
)

// SetOf returns the name of the keypoints of a descriptor's rows: for a fusion,
// the keypoints of its parts, or side a if the parts are on both sides of an
// intersection. The config must be loaded.
func (c *Config) SetOf(d Descriptor) string {
	if d.Fusion == nil {
		return d.Keypoints
	}
	names := spelling.Words(d.Fusion.Of, func(part string) string { return c.Named(part).Keypoints })
	name, _ := c.Graph().common(names)
	return name
}

// Named returns the descriptor of a name, nil if there is none.
func (c *Config) Named(name string) *Descriptor {
	for i := range c.Descriptors {
		if c.Descriptors[i].Name == name {
			return &c.Descriptors[i]
		}
	}
	return nil
}

// KeypointGroup names the keypoints of a descriptor: a set, or an intersection, whose
// sides are the same points. It returns "" for matches of points, which have no
// keypoints, and for an unknown descriptor. Only figures of
// descriptors on the same keypoints can be ranked. The config must be loaded.
func (c *Config) KeypointGroup(descriptor string) string {
	if d := c.Named(descriptor); d != nil {
		if set, _ := c.Graph().Find(c.SetOf(*d)); set != nil {
			return set.Name
		}
	}
	return ""
}

// A Graph holds the keypoint sets of a config by name, and their sources.
type Graph struct {
	sets       map[string]*KeypointSet // by their own names
	references map[string]reference    // by the names that others refer to them by
	names      []string                // these names, in the order of the file
}

// A reference is the target of a name.
type reference struct {
	set  *KeypointSet
	side int // of an intersection: 0 is a, 1 is b; else 0
}

// Graph returns the graph of the config's keypoint sets.
func (c *Config) Graph() Graph {
	g := Graph{sets: make(map[string]*KeypointSet), references: make(map[string]reference)}
	for i := range c.KeypointSets {
		s := &c.KeypointSets[i]
		g.sets[s.Name] = s
		for side, name := range s.Sides() {
			g.names = append(g.names, name)
			g.references[name] = reference{s, side}
		}
	}
	return g
}

// Sides returns the names under which descriptors and other sets refer to a
// set: its name, or "both.a" and "both.b" for the two sides of an intersection,
// which are paired row by row.
func (s *KeypointSet) Sides() []string {
	if s.Intersect == nil {
		return []string{s.Name}
	}
	return []string{s.Name + ".a", s.Name + ".b"}
}

// parents returns the names of the sources of a set: one, or two for an
// intersection.
func (s *KeypointSet) parents() []string {
	switch {
	case s.From != "":
		return []string{s.From}
	case s.Intersect != nil:
		return []string{s.Intersect.A, s.Intersect.B}
	}
	return nil
}

// TakesTotal reports whether a set selects over all scenes.
func (s *KeypointSet) TakesTotal() bool { return s.Top != nil && s.Top.Total > 0 }

// Selects reports whether a set lacks keypoints of its source other than those at the
// border.
func (s *KeypointSet) Selects() bool {
	return s.Intersect != nil || s.MinSize != nil || s.MaxSize != nil || s.MinResponse != nil ||
		s.Random != nil || s.Spatial != nil || s.Top != nil || s.Project != nil
}

// Find returns the keypoint set that a name of Descriptor.Keypoints, From or
// Intersect refers to, and which side of it: 0 or 1 of an intersection, else 0.
// It returns nil for an unknown name.
func (g Graph) Find(name string) (set *KeypointSet, side int) {
	r := g.references[name]
	return r.set, r.side
}

// Chain returns the sets that produce the keypoints of a name, from the one that
// detects or imports them to the one that the name refers to. At an intersection
// it follows the side.
func (g Graph) Chain(name string) []*KeypointSet {
	var way []*KeypointSet
	for name != "" {
		set, side := g.Find(name)
		way = append(way, set)
		name = ""
		if from := set.parents(); len(from) > 0 {
			name = from[min(side, len(from)-1)]
		}
	}
	slices.Reverse(way)
	return way
}

// Ancestors returns every direct and indirect source of s, sources first, and finally s;
// nothing for nil.
func (g Graph) Ancestors(s *KeypointSet) (all []*KeypointSet) {
	seen := make(map[*KeypointSet]bool)
	var walk func(s *KeypointSet)
	walk = func(s *KeypointSet) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		for _, name := range s.parents() {
			walk(g.references[name].set)
		}
		all = append(all, s)
	}
	walk(s)
	return all
}

// Reaches reports whether the set of that name, or any of its ancestors, passes
// the test; false of matches of points, which have no set.
func (g Graph) Reaches(name string, test func(*KeypointSet) bool) bool {
	return slices.ContainsFunc(g.Ancestors(g.references[name].set), test)
}

// Depth counts the selections over all scenes that a set depends on, including its
// own.
func (g Graph) Depth(s *KeypointSet) int {
	depth := make(map[*KeypointSet]int)
	for _, of := range g.Ancestors(s) {
		for _, name := range of.parents() {
			depth[of] = max(depth[of], depth[g.references[name].set])
		}
		if of.TakesTotal() {
			depth[of]++
		}
	}
	return depth[s]
}

// common returns the keypoints on which rows of the named sets can be joined: the
// only name, or side a if the names are the two sides of one intersection.
// Otherwise ok is false. names is not empty.
func (g Graph) common(names []string) (name string, ok bool) {
	name = names[0]
	first := g.references[name]
	for _, other := range names[1:] {
		if other == name {
			continue
		}
		if first.set.Intersect == nil || g.references[other].set != first.set {
			return "", false
		}
		name = first.set.Name + ".a"
	}
	return name, true
}

// CheckSet returns an *Error for the file if no keypoint set has the name. The
// error lists all names and suggests the nearest one.
func (c *Config) CheckSet(file, name string) error {
	if set, _ := c.Graph().Find(name); set != nil {
		return nil
	}
	return &Error{File: file, Key: "keypoint_sets", Msg: fmt.Sprintf("found no keypoint set %q, %s", name, oneOf(name, c.Graph().names))}
}
