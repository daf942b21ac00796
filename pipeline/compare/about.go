package compare

import (
	"fmt"
	"slices"
	"strings"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
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
	names, settings := []string{base.Name}, []string{base.settings()}
	for _, d := range others {
		if d != base && c.has(d.Name) {
			names, settings = append(names, d.Name), append(settings, d.settings())
		}
	}
	c.out.Settings = report.SettingsOf(names, settings)
	c.out.About = ofHPatches(c.out.ScenesBehind(), slices.Compact(scenes)) + "; " + setup(about)
	if c.out.Settings != "" {
		c.out.About += "; Settings: " + c.out.Settings
	}
}

func (d *runDescriptor) settings() string { return d.cfg.Named(d.descriptor).Settings() }

// Setup is fold.Setup of a run with the settings of the descriptors of its summary.
func Setup(o *fold.Outcome, shown func(descriptor string) bool) string {
	var names, settings []string
	for _, d := range o.Summary.Descriptors {
		if shown(d.Name) {
			names, settings = append(names, d.Name), append(settings, o.Config.Named(d.Name).Settings())
		}
	}
	text := fold.Setup(o.Config)
	if of := report.SettingsOf(names, settings); of != "" {
		text += "; Settings: " + of
	}
	return text
}

// ScenesBehind says on which scenes a run has results.
func ScenesBehind(o *fold.Outcome) string {
	return ofHPatches(report.ScenesBehind(o.Summary, o.Config.Dataset.Scenes), o.Summary.Evaluated())
}

// ofHPatches adds to a text about scenes that all of them are from HPatches, or how many.
func ofHPatches(text string, scenes []string) string {
	switch n := len(slices.DeleteFunc(slices.Clone(scenes), func(s string) bool { return !dataset.IsHPatches(s) })); n {
	case 0:
		return text
	case len(scenes):
		return strings.Replace(text, " scenes", " HPatches scenes", 1)
	default:
		of := fmt.Sprintf("%d from HPatches", n)
		if before, after, kinds := strings.Cut(text, ")"); kinds {
			return before + ", " + of + ")" + after
		}
		return strings.Replace(text, " scenes", " scenes ("+of+")", 1)
	}
}
