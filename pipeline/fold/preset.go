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
// paper: the keys of the config, the scenes, and what differs in any run.
func PresetDeviations(c *config.Config, scenes []string) []string {
	p := c.Preset()
	if p == nil {
		return nil
	}
	out := slices.Concat(presetScenes(p, scenes, scope.All), c.PresetDeviations(), p.Differs)
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

// ofScenes begins the deviations that presetScenes returns.
const ofScenes = "dataset: "

// presetScenes says how the scenes of a scope differ from those that a preset has in it.
func presetScenes(p *config.Preset, scenes []string, of string) (out []string) {
	wanted, outside := ScenesOfPreset(p, scenes, of)
	if evaluated := len(scenes) - len(outside); evaluated < len(wanted) {
		out = append(out, fmt.Sprintf(ofScenes+"%d of its %d scenes", evaluated, len(wanted)))
	}
	if len(outside) > 0 {
		out = append(out, fmt.Sprintf(ofScenes+"the means include %s that the preset does not have: %s", spelling.Count(len(outside), "scene"), spelling.Few(outside, 6)))
	}
	return out
}

// Within returns the outcome whose summary has only the scenes of a scope, for tables of
// that scope. The metrics in the summary remain those of all scenes.
func (o *Outcome) Within(of string) *Outcome {
	if of == scope.All {
		return o
	}
	return o.Over(func(scene string) bool { return dataset.InScope(scene, of) }, of)
}

// Over returns the outcome whose summary has only some of the scenes of a scope, and the warnings
// but for those about other scenes.
func (o *Outcome) Over(in func(scene string) bool, of string) *Outcome {
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
	if p := o.Config.Preset(); p != nil {
		for _, text := range presetScenes(p, s.Evaluated(), of) {
			s.Warnings = append(s.Warnings, store.SummaryWarning{Kind: PresetWarning, Text: text})
		}
	}
	names := o.Summary.SceneNames()
	for _, w := range o.Summary.Warnings {
		var about []string // scenes
		for _, word := range strings.FieldsFunc(w.Text, func(r rune) bool { return strings.ContainsRune(" ,:;/()?", r) }) {
			if slices.Contains(names, word) {
				about = append(about, word)
			}
		}
		if w.Kind == PresetWarning && strings.HasPrefix(w.Text, ofScenes) || about != nil && !slices.ContainsFunc(about, in) {
			continue
		}
		if about == nil && w.Descriptor != "" { // numbers of the whole run
			end := strings.Index(w.Text+";", ";")
			w.Text = w.Text[:end] + " (over all scenes)" + w.Text[end:]
		}
		s.Warnings = append(s.Warnings, w)
	}
	out.Summary = &s
	return &out
}

// PresetNote says which preset of a paper a run names and how it deviates for the
// descriptors that are shown; "" without any.
func (o *Outcome) PresetNote(shown func(descriptor string) bool) string {
	p := o.Config.Preset()
	if p == nil {
		return ""
	}
	text, before := fmt.Sprintf("preset %s (%s)", p.Name, p.Source()), "; deviations: "
	for _, deviation := range o.Deviations(shown) {
		text, before = text+before+deviation, "; "
	}
	return text
}

// Deviations lists how the run deviates from the preset of a paper for the descriptors that
// are shown.
func (o *Outcome) Deviations(shown func(descriptor string) bool) (out []string) {
	for _, w := range o.Summary.Warnings {
		key, of, _ := strings.Cut(w.Text, "[")
		name, _, _ := strings.Cut(of, "]")
		if w.Kind == PresetWarning && (key != "descriptors" || shown(o.Shown(name))) {
			out = append(out, w.Text)
		}
	}
	return out
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
