package config

import (
	"slices"
	"strings"

	"descbench/keypoints"
)

// defaultBorder is the border of a detected set that names none, px.
const defaultBorder = 40

// checkSets gives detected sets without a border the default one. It checks that all
// referenced sets exist, that they form no cycle, and that the steps of a set are
// consistent.
func (k *checker) checkSets() {
	before := len(k.faults)
	for i := range k.config.KeypointSets {
		s := &k.config.KeypointSets[i]
		if s.Detect != nil && s.Border == nil {
			s.Border = &keypoints.Border{Px: defaultBorder}
		}
		k.graph.made(s, func(key, name string, _ *KeypointSet) { k.checkName(s.key(key), name, s) })
		if s.Intersect != nil {
			k.checkIntersection(s)
		}
		if s.MinSize != nil && s.MaxSize != nil && *s.MinSize > *s.MaxSize {
			k.faultAt(s.key("max_size"), "found %v, want at least min_size, %v", *s.MaxSize, *s.MinSize)
		}
	}
	if len(k.faults) > before {
		return
	}
	for _, cycle := range k.graph.cycles(k.config.KeypointSets) {
		k.faultCycle(cycle)
	}
	if len(k.faults) == before {
		k.checkTotals()
	}
}

func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(others, n) })
}

func (k *checker) checkIntersection(s *KeypointSet) {
	for _, side := range s.Sides() {
		if other := k.graph.sets[side]; other != nil {
			k.faultAt(other.key("name"), "found %q, which is a side of the intersection %s, want another name", side, s.Name)
		}
	}
	if s.Intersect.A == s.Intersect.B {
		k.faultAt(s.key("intersect.b"), "found %q, which is also a, want another keypoint set", s.Intersect.B)
	}
}

func (k *checker) faultCycle(cycle []*KeypointSet) {
	first, second := cycle[0], cycle[1%len(cycle)]
	var names []string
	for _, s := range append(cycle, first) {
		names = append(names, s.Name)
	}
	var keys []string
	k.graph.made(first, func(key, _ string, of *KeypointSet) {
		if of == second {
			keys = append(keys, key)
		}
	})
	k.faultAt(first.key(keys[0]), "found the cycle %s, want one of these sets to detect or import", strings.Join(names, " -> "))
}

// checkTotals checks that no selection over the whole data set comes with or after
// a projection. The keypoints of the other images would no longer be projections
// of the keypoints of image 1.
func (k *checker) checkTotals() {
	// What projects, of a set and all that it is made of; nil if nothing does.
	known := make(map[*KeypointSet]*KeypointSet)
	var projection func(s *KeypointSet) *KeypointSet
	projection = func(s *KeypointSet) *KeypointSet {
		if p, ok := known[s]; ok {
			return p
		}
		var p *KeypointSet
		if s.Project != nil {
			p = s
		}
		k.graph.made(s, func(_, _ string, of *KeypointSet) {
			if p == nil {
				p = projection(of)
			}
		})
		known[s] = p
		return p
	}
	for i := range k.config.KeypointSets {
		s := &k.config.KeypointSets[i]
		total := s.total()
		if total == "" {
			continue
		}
		if total == "random.total" && (s.Spatial != nil || s.Top != nil) {
			k.faultAt(s.key(total), "found it together with spatial or top, want those in a set that is made from this one by from")
		}
		switch p := projection(s); p {
		case nil:
		case s:
			k.faultAt(s.key(total), "found it in a set that projects, want it in a set that comes before the projection")
		default:
			k.faultAt(s.key(total), "found it after the projection of %s, want it in a set that comes before %[1]s", p.Name)
		}
	}
}

// projecting returns the last set of a chain that projects, or nil.
func projecting(chain []*KeypointSet) (last *KeypointSet) {
	for _, s := range chain {
		if s.Project != nil {
			last = s
		}
	}
	return last
}
