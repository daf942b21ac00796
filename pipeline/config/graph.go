package config

import "slices"

// Find returns the keypoint set that a name of Descriptor.Keypoints, From or
// Intersect refers to, and which side of it, "a" or "b", if it is an
// intersection. It returns nil for a name that refers to none.
func (c *Config) Find(name string) (set *KeypointSet, side string) {
	r := c.graph().references[name]
	return r.set, r.side
}

// SetOf returns the name of the keypoints that a descriptor's rows belong to:
// for a fusion, those of what it fuses, and side a if that is of both sides of
// an intersection. The config must have been loaded.
func (c *Config) SetOf(d Descriptor) string {
	g := c.graph()
	return g.setOf(d, func(name string) *Descriptor {
		return &c.Descriptors[slices.IndexFunc(c.Descriptors, func(x Descriptor) bool { return x.Name == name })]
	})
}

// A setGraph holds the keypoint sets of a config by name.
type setGraph struct {
	sets       map[string]*KeypointSet // by their own names
	references map[string]reference    // by the names that others refer to them by
	names      []string                // these names, in the order of the file
}

// A reference is what a name stands for.
type reference struct {
	set  *KeypointSet
	side string // "a" or "b" of an intersection, else ""
}

func (c *Config) graph() setGraph {
	g := setGraph{sets: make(map[string]*KeypointSet), references: make(map[string]reference)}
	for i := range c.KeypointSets {
		s := &c.KeypointSets[i]
		g.sets[s.Name] = s
		g.names = append(g.names, s.names()...)
		if s.Intersect == nil {
			g.references[s.Name] = reference{set: s}
			continue
		}
		g.references[s.Name+".a"] = reference{s, "a"}
		g.references[s.Name+".b"] = reference{s, "b"}
	}
	return g
}

// names returns the names that others refer to a set by: its own, or those of
// its two sides.
func (s *KeypointSet) names() []string {
	if s.Intersect == nil {
		return []string{s.Name}
	}
	return []string{s.Name + ".a", s.Name + ".b"}
}

// chain returns the sets that the keypoints of a name come through: first the
// one that detects or imports them, last the one that the name refers to. Of
// an intersection it follows the side.
func (g setGraph) chain(name string) []*KeypointSet {
	var way []*KeypointSet
	for name != "" {
		r := g.references[name]
		way = append(way, r.set)
		switch name = r.set.From; r.side {
		case "a":
			name = r.set.Intersect.A
		case "b":
			name = r.set.Intersect.B
		}
	}
	slices.Reverse(way)
	return way
}

// made calls visit for every set that s is made of directly, with the key of s
// that names it.
func (g setGraph) made(s *KeypointSet, visit func(key, name string, of *KeypointSet)) {
	if s.From != "" {
		visit("from", s.From, g.references[s.From].set)
	}
	if i := s.Intersect; i != nil {
		visit("intersect.a", i.A, g.references[i.A].set)
		visit("intersect.b", i.B, g.references[i.B].set)
	}
}

func (g setGraph) setOf(d Descriptor, find func(name string) *Descriptor) string {
	if d.Fusion == nil {
		return d.Keypoints
	}
	var names []string
	for _, part := range d.Fusion.Of {
		names = append(names, find(part).Keypoints)
	}
	name, _ := g.common(names)
	return name
}

// common returns the keypoints that rows of the named ones, at least one, can
// be joined on: the one that all names are, or side a where they are the sides
// of one intersection. ok is false if they are neither.
func (g setGraph) common(names []string) (name string, ok bool) {
	name = names[0]
	first := g.references[name]
	for _, other := range names[1:] {
		if other == name {
			continue
		}
		if first.side == "" || g.references[other].set != first.set {
			return "", false
		}
		name = first.set.Name + ".a"
	}
	return name, true
}
