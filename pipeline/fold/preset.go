package fold

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// PresetWarning is the kind of the warnings that say how a run deviates from the preset
// of a paper that it names.
const PresetWarning = "preset"

// PresetDeviations returns all deviations of a run of these scenes from the preset of a
// paper in a scope: the keys of the config, the scenes, and what differs in any run.
func PresetDeviations(c *config.Config, scenes []string, of string) (out []string) {
	p := c.Preset()
	if p == nil {
		return nil
	}
	wanted, outside := ScenesOfPreset(p, scenes, of)
	if evaluated := len(scenes) - len(outside); evaluated < len(wanted) {
		out = append(out, fmt.Sprintf("dataset: %d of its %d scenes", evaluated, len(wanted)))
	}
	if len(outside) > 0 {
		out = append(out, fmt.Sprintf("dataset: the means include %s that the preset does not have: %s", spelling.Count(len(outside), "scene"), spelling.Few(outside, 6)))
	}
	out = append(append(out, c.PresetDeviations()...), p.Differs...)
	for _, key := range slices.Sorted(maps.Keys(p.DiffersBy)) {
		if !slices.ContainsFunc(out, func(deviation string) bool { return strings.HasPrefix(deviation, key) }) {
			out = append(out, p.DiffersBy[key]...)
		}
	}
	return out
}

// ScenesOfPreset returns the scenes that a preset has in a scope, and those of some that it
// does not have.
func ScenesOfPreset(p *config.Preset, scenes []string, of string) (wanted, outside []string) {
	wanted = slices.DeleteFunc(dataset.SubsetOfHPatches(p.Subset()), func(scene string) bool { return !dataset.InScope(scene, of) })
	return wanted, slices.DeleteFunc(slices.Clone(scenes), func(scene string) bool { return slices.Contains(wanted, scene) })
}

// PresetNote says which preset of a paper a config names and how it deviates with these scenes
// in a scope; "" without any.
func PresetNote(c *config.Config, scenes []string, of string) string {
	p := c.Preset()
	if p == nil {
		return ""
	}
	text, before := fmt.Sprintf("preset %s (%s)", p.Name, p.Source()), "; deviations: "
	for _, deviation := range PresetDeviations(c, scenes, of) {
		text, before = text+before+deviation, "; "
	}
	return text
}

// Within returns the outcome whose summary has only the scenes of a scope, for tables of
// that scope, and the warnings but for those about other scenes. The metrics in the summary
// remain those of all scenes.
func (o *Outcome) Within(of string) *Outcome {
	if of == scope.All {
		return o
	}
	in := func(scene string) bool { return dataset.InScope(scene, of) }
	out, s := *o, *o.Summary
	s.FailedScenes = maps.Clone(s.FailedScenes)
	maps.DeleteFunc(s.FailedScenes, func(scene, _ string) bool { return !in(scene) })
	s.Descriptors = slices.Clone(s.Descriptors)
	for i := range s.Descriptors {
		scenes := maps.Clone(s.Descriptors[i].Scenes)
		maps.DeleteFunc(scenes, func(scene string, _ store.SummaryScene) bool { return !in(scene) })
		s.Descriptors[i].Scenes = scenes
	}
	s.ScenesRequested = len(s.SceneNames())
	s.Warnings = nil
	for _, text := range PresetDeviations(o.Config, s.Evaluated(), of) {
		s.Warnings = append(s.Warnings, store.SummaryWarning{Kind: PresetWarning, Text: text})
	}
	for _, w := range o.Summary.Warnings {
		if w.Kind == PresetWarning || w.Scenes != nil && !slices.ContainsFunc(w.Scenes, in) {
			continue
		}
		if w.Scenes == nil && w.Descriptor != "" { // numbers of the whole run
			end := strings.Index(w.Text+";", ";")
			w.Text = w.Text[:end] + " (over all scenes)" + w.Text[end:]
		}
		s.Warnings = append(s.Warnings, w)
	}
	out.Summary = &s
	return &out
}

// Title names the experiment of a run, and the folder of a re-evaluation.
func (o *Outcome) Title() string {
	name := o.Summary.Experiment
	again, err := plan.Folder(o.Folder).Reevaluation()
	if folder, _ := filepath.Abs(o.Folder); err == nil && again != nil && filepath.Base(folder) != name {
		return fmt.Sprintf("%s (%s re-evaluated)", filepath.Base(folder), name)
	}
	return name
}
