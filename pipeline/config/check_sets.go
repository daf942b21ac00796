package config

import (
	"slices"

	"descbench/keypoints"
)

// defaultBorder is the border of a detected set that names none, px.
const defaultBorder = 40

// checkSets gives detected sets without a border the default one. It checks that all
// referenced sets exist, that sets with from or intersect stand before those that are made
// from them, and that the steps of a set are consistent.
func (k *checker) checkSets() {
	before := len(k.faults)
	above := make(map[*KeypointSet]bool)
	for i := range k.config.KeypointSets {
		s := &k.config.KeypointSets[i]
		if s.Detect != nil && s.Border == nil {
			s.Border = &keypoints.Border{Px: defaultBorder}
		}
		for side, name := range s.parents() {
			key := s.key("from")
			if s.Intersect != nil {
				key = s.key([...]string{"intersect.a", "intersect.b"}[side])
			}
			if of := k.graph.references[name].set; k.checkName(key, name, s) && !above[of] && of.parents() != nil {
				k.faultAt(key, "found %q, want a set that stands before this one", name)
			}
		}
		above[s] = true
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
	for i := range k.config.KeypointSets {
		if s := &k.config.KeypointSets[i]; s.Top != nil {
			k.checkTop(s)
		}
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

// checkTop checks that a selection needs no responses that a detector does not give, and that one over the
// whole data set does not come with or after a projection. The keypoints of the other images would no longer
// be projections of the keypoints of image 1.
func (k *checker) checkTop(s *KeypointSet) {
	above := k.graph.Ancestors(s)
	if detect := above[0].Detect; detect != nil && s.Top.By == keypoints.ByResponse {
		detector, _ := keypoints.FindDetector(detect.Type)
		if cure := detector.Unscored(detect.Params); cure != "" {
			k.faultAt(s.key("top.by"), "found response, but every response of %s is 0, want %s", detect.Type, cure)
		}
	}
	switch p := projecting(above); {
	case p == nil || !s.TakesTotal():
	case p == s:
		k.faultAt(s.key("top.total"), "found it in a set that projects, want it in a set that comes before the projection")
	default:
		k.faultAt(s.key("top.total"), "found it after the projection of %s, want it in a set that comes before %[1]s", p.Name)
	}
}

// projecting returns the last of some sets that projects, or nil.
func projecting(sets []*KeypointSet) (last *KeypointSet) {
	for _, s := range sets {
		if s.Project != nil {
			last = s
		}
	}
	return last
}
