package fold

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/notes"
	"descbench/pipeline/store"
)

// PresetDeviations returns all deviations of a run of these scenes from the preset of a
// paper in a scope: the keys of the config, the scenes, and what differs in any run.
func PresetDeviations(c *config.Config, scenes []string, of string) (out []fact.Fact) {
	p := c.Preset()
	if p == nil {
		return nil
	}
	wanted, outside := ScenesOfPreset(p, scenes, of)
	switch evaluated := len(scenes) - len(outside); {
	case p.Pairs > 0 && len(scenes) != p.Pairs:
		out = append(out, fact.New(fact.PresetPairs).Counting(len(scenes), p.Pairs))
	case evaluated < len(wanted):
		out = append(out, fact.New(fact.PresetScenes).Counting(evaluated, len(wanted)))
	}
	if len(outside) > 0 {
		out = append(out, fact.New(fact.OutsidePreset, outside...))
	}
	return append(out, c.PresetDeviations()...)
}

// ScenesOfPreset returns the scenes that a preset has in a scope, and those of some that it
// does not have; nothing for a preset of pairs with cameras, of which it has only the number.
func ScenesOfPreset(p *config.Preset, scenes []string, of string) (wanted, outside []string) {
	if p.Pairs > 0 {
		return nil, nil
	}
	wanted = slices.DeleteFunc(dataset.SubsetOfHPatches(p.Subset()), func(scene string) bool { return !dataset.InScope(scene, of) })
	return wanted, slices.DeleteFunc(slices.Clone(scenes), func(scene string) bool { return slices.Contains(wanted, scope.WithoutGroup(scene)) })
}

// Covers reports whether the metrics of a scope cover images of a scene of the run.
func (r *Run) Covers(of, scene string) bool {
	listed := scope.Parse(of).Subset
	return dataset.InScope(scene, of) && (listed == "" || listed == scope.Subset108 || !slices.ContainsFunc(r.Summary.Descriptors, func(d store.SummaryDescriptor) bool {
		evaluated, there := d.Scenes[scene]
		return there && !slices.Contains(evaluated.Subsets, listed)
	}))
}

// Within returns the run whose summary has only the scenes of a scope, for tables of
// that scope, and the warnings but for those about other scenes. The metrics in the summary
// remain those of all scenes.
func (r *Run) Within(of string) *Run {
	if of == scope.All {
		return r
	}
	in := func(scene string) bool { return r.Covers(of, scene) }
	out, s := *r, *r.Summary
	s.FailedScenes = maps.Clone(s.FailedScenes)
	maps.DeleteFunc(s.FailedScenes, func(scene string, _ []store.Failure) bool { return !in(scene) })
	s.Descriptors = slices.Clone(s.Descriptors)
	for i := range s.Descriptors {
		scenes := maps.Clone(s.Descriptors[i].Scenes)
		maps.DeleteFunc(scenes, func(scene string, _ store.SummaryScene) bool { return !in(scene) })
		s.Descriptors[i].Scenes = scenes
	}
	s.ScenesRequested = len(s.SceneNames())
	s.Warnings = PresetDeviations(r.Config, s.Evaluated(), of)
	for _, f := range r.Summary.Warnings {
		if notes.Deviates(f.Kind) || f.Kind == fact.FewGroups && scope.Parse(of).Group != "" || f.Scenes != nil && !slices.ContainsFunc(f.Scenes, in) {
			continue
		}
		if f.Scenes == nil && f.Descriptor != "" && f.Part == "" && len(f.Numbers) > 0 { // numbers of the whole run
			f = f.Of("all scenes")
		}
		s.Warnings = append(s.Warnings, f)
	}
	out.Summary = &s
	return &out
}

// Title names the experiment of a run, and the folder of a re-evaluation.
func (r *Run) Title() string {
	name := r.Summary.Experiment
	again, err := r.RunFolder().Reevaluation()
	if folder, _ := filepath.Abs(r.Folder); err == nil && again != nil && filepath.Base(folder) != name {
		return fmt.Sprintf("%s (%s re-evaluated)", filepath.Base(folder), name)
	}
	return name
}
