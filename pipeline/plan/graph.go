package plan

import (
	"slices"

	"descbench/pipeline/config"
)

// Totals returns the wanted sets, and those that they are made from, whose own
// selection over all scenes is the depth-th that has to be made.
func (p *Plan) Totals(depth int) []*config.KeypointSet {
	wanted := make(map[*config.KeypointSet]bool)
	for _, name := range p.wanted {
		set, _ := p.Graph.Find(name)
		p.Graph.Ancestors(set, func(s *config.KeypointSet) { wanted[s] = true })
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

// Parts returns the descriptors that a fusion joins.
func (p *Plan) Parts(d config.Descriptor) []config.Descriptor {
	parts := make([]config.Descriptor, len(d.Fusion.Of))
	for i, name := range d.Fusion.Of {
		at := slices.IndexFunc(p.Config.Descriptors, func(d config.Descriptor) bool { return d.Name == name })
		parts[i] = p.Config.Descriptors[at]
	}
	return parts
}

// Describes reports whether a descriptor, or a part of it, describes keypoints of
// a set that starts from another.
func (p *Plan) Describes(d config.Descriptor, origin *config.KeypointSet) bool {
	if d.Fusion != nil {
		return slices.ContainsFunc(p.Parts(d), func(part config.Descriptor) bool { return p.Describes(part, origin) })
	}
	return p.Graph.Reaches(d.Keypoints, func(s *config.KeypointSet) bool { return s == origin })
}

// MadeFrom reports whether a set is another, or is made from it.
func (p *Plan) MadeFrom(set, origin *config.KeypointSet) bool {
	made := false
	p.Graph.Ancestors(set, func(s *config.KeypointSet) { made = made || s == origin })
	return made
}
