package config

import (
	"fmt"
	"slices"
	"strings"

	"descbench/descriptors"
	"descbench/keypoints"
)

// check looks at what takes two places of the config to see, and fills in the
// defaults that depend on other places.
func (d *decoder) check(v vocabulary, c *Config) {
	if c.Dataset.Root == "" {
		d.faultAt("dataset.root", "missing, want a folder of scenes, here or by --data")
	}
	sets := d.checkSets(c)
	if len(d.faults) > 0 {
		return
	}
	for i := range c.Descriptors {
		d.checkDescriptor(v, c, sets, &c.Descriptors[i])
	}
}

// checkSets returns the keypoint sets by name once every from leads to a set
// that detects.
func (d *decoder) checkSets(c *Config) map[string]*KeypointSet {
	sets := make(map[string]*KeypointSet, len(c.KeypointSets))
	names := make([]string, len(c.KeypointSets))
	for i := range c.KeypointSets {
		s := &c.KeypointSets[i]
		sets[s.Name], names[i] = s, s.Name
	}
	for _, s := range c.KeypointSets {
		if s.From != "" && sets[s.From] == nil {
			d.faultAt(fmt.Sprintf("keypoint_sets[%s].from", s.Name), "found %q, but no other set of this name, %s", s.From, oneOf(s.From, without(names, s.Name)))
		}
	}
	reported := map[string]bool{}
	for _, s := range c.KeypointSets {
		cycle := cycleFrom(sets, s.Name)
		if cycle == nil || reported[s.Name] {
			continue
		}
		for _, name := range cycle {
			reported[name] = true
		}
		d.faultAt(fmt.Sprintf("keypoint_sets[%s].from", s.Name), "found the cycle %s, want one of these sets to detect", strings.Join(append(cycle, s.Name), " -> "))
	}
	return sets
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
}

// cycleFrom returns the names of the sets on the way along from that leads
// back to the set of that name; nil if none does.
func cycleFrom(sets map[string]*KeypointSet, name string) []string {
	way := []string{name}
	for s := sets[name]; s != nil && s.From != "" && len(way) <= len(sets); s = sets[s.From] {
		if s.From == name {
			return way
		}
		way = append(way, s.From)
	}
	return nil
}

// checkDescriptor sees to the descriptor's keypoint set and to the parameters
// that it has from the set's detector.
func (d *decoder) checkDescriptor(v vocabulary, c *Config, sets map[string]*KeypointSet, x *Descriptor) {
	key := fmt.Sprintf("descriptors[%s]", x.Name)
	var names []string
	for _, s := range c.KeypointSets {
		names = append(names, s.Name)
	}
	switch {
	case x.Keypoints == "" && len(names) == 1:
		x.Keypoints = names[0]
	case x.Keypoints == "":
		d.faultAt(key+".keypoints", "missing, %s", oneOf("", names))
		return
	case sets[x.Keypoints] == nil:
		d.faultAt(key+".keypoints", "found %q, but no keypoint set of this name, %s", x.Keypoints, oneOf(x.Keypoints, names))
		return
	}
	base := sets[x.Keypoints]
	for base.From != "" {
		base = sets[base.From]
	}
	for _, p := range v.kindParams(x.Type) {
		detectors, shared := base.Detect.Params[p.Name]
		if p.SameAs != base.Detect.Type || !shared {
			continue
		}
		if name := key + "." + p.Name; d.at[name] == nil {
			x.Params[p.Name] = detectors
		} else if x.Params[p.Name] != detectors {
			d.faultAt(name, "found %v, want %v as in keypoint_sets[%s].detect", x.Params[p.Name], detectors, base.Name)
		}
	}
}

func (v vocabulary) kindParams(name string) []keypoints.Param {
	i := slices.IndexFunc(v.kinds, func(k descriptors.Kind) bool { return k.Name == name })
	return v.kinds[i].Params
}
