package compare

import (
	"fmt"
	"slices"
	"strings"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
)

// about sets what captions say about the scenes, the protocol or preset, and the keypoints.
func (c *Comparing) about(base *runDescriptor, others []*runDescriptor, preset bool) {
	setup := func(cfg config.Config) string {
		if !preset {
			cfg.Evaluation.Preset = ""
		}
		return fold.Setup(&cfg)
	}
	about := *base.cfg
	if slices.ContainsFunc(others, func(d *runDescriptor) bool { return c.has(d.Name) && setup(*d.cfg) != setup(*base.cfg) }) {
		about.KeypointSets = nil // which are not those of all
	}
	var scenes []string
	for _, r := range c.out.Rows {
		for _, s := range r.Differences {
			scenes = append(scenes, s.Scene)
		}
	}
	slices.Sort(scenes)
	c.out.Selected = len(base.cfg.Dataset.Scenes) > 0
	c.out.About = OfHPatches(c.out.ScenesBehind(), slices.Compact(scenes)) + "; " + setup(about)
}

// OfHPatches adds to a text about scenes that all of them are from HPatches, or how many.
func OfHPatches(text string, scenes []string) string {
	switch n := len(slices.DeleteFunc(slices.Clone(scenes), func(s string) bool { return !dataset.IsHPatches(s) })); n {
	case 0:
		return text
	case len(scenes):
		return strings.Replace(text, " scenes", " HPatches scenes", 1)
	default:
		return fmt.Sprintf("%s, %d of them from HPatches", text, n)
	}
}
