package plan

import (
	"slices"

	"descbench/pipeline/config"
)

// Totals returns the sets whose selection over all scenes comes at the given
// depth: depth 1 needs no other such selection, depth 2 needs those of depth 1,
// and so on. It considers the needed sets and their ancestors.
func (p *Plan) Totals(depth int) []*config.KeypointSet {
	wanted := make(map[*config.KeypointSet]bool)
	for _, name := range p.wanted {
		set, _ := p.Graph.Find(name)
		for _, s := range p.Graph.Ancestors(set) {
			wanted[s] = true
		}
	}
	var out []*config.KeypointSet
	for i := range p.Config.KeypointSets {
		set := &p.Config.KeypointSets[i]
		if wanted[set] && set.TakesTotal() && p.Graph.Depth(set) == depth {
			out = append(out, set)
		}
	}
	return out
}

// SetsOf returns the keypoint sets of a descriptor and those that they are made from,
// sources first.
func (p *Plan) SetsOf(d config.Descriptor) []*config.KeypointSet {
	set, _ := p.Graph.Find(p.Config.SetOf(d)) // matches of points have none
	return p.Graph.Ancestors(set)
}

// Parts returns the descriptors that a fusion combines, or another descriptor itself.
func (p *Plan) Parts(d config.Descriptor) []config.Descriptor {
	if d.Fusion == nil {
		return []config.Descriptor{d}
	}
	parts := make([]config.Descriptor, len(d.Fusion.Of))
	for i, name := range d.Fusion.Of {
		parts[i] = *p.Config.Named(name)
	}
	return parts
}

// Describes reports whether a descriptor, or any part of a fusion, describes
// keypoints that come from the given set, directly or through derived sets.
func (p *Plan) Describes(d config.Descriptor, origin *config.KeypointSet) bool {
	return slices.ContainsFunc(p.Parts(d), func(part config.Descriptor) bool {
		return p.Graph.Reaches(part.Keypoints, func(s *config.KeypointSet) bool { return s == origin })
	})
}
