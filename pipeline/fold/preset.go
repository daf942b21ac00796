package fold

import (
	"fmt"
	"path/filepath"
	"slices"

	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
)

// PresetWarning is the kind of the warnings that say how a run deviates from the preset
// of a paper that it names.
const PresetWarning = "preset"

// presetWarnings returns all deviations of a run of these scenes from the preset of a
// paper: the keys of the config, the scenes, and what differs in any run.
func presetWarnings(c *config.Config, scenes []string) []scope.Warning {
	p := c.Preset()
	if p == nil {
		return nil
	}
	wanted := dataset.SubsetOfHPatches(p.Subset())
	var outside, out []string
	for _, scene := range scenes {
		if !slices.Contains(wanted, scene) {
			outside = append(outside, scene)
		}
	}
	if evaluated := len(scenes) - len(outside); evaluated < len(wanted) {
		out = append(out, fmt.Sprintf("dataset: %d of its %d scenes", evaluated, len(wanted)))
	}
	if len(outside) > 0 {
		out = append(out, fmt.Sprintf("dataset: the means include %s that the preset does not have: %s", spelling.Count(len(outside), "scene"), spelling.Few(outside, 6)))
	}
	out = slices.Concat(out, c.PresetDeviations(), p.Differs)
	if c.Dataset.Resize != nil {
		out = append(out, p.Resized...)
	}
	var warnings []scope.Warning
	for _, text := range out {
		warnings = append(warnings, scope.Warning{Kind: PresetWarning, Text: text})
	}
	return warnings
}

// PresetNote says which preset of a paper a run names and how it deviates; "" without any.
func (o *Outcome) PresetNote() string {
	p := o.Config.Preset()
	if p == nil {
		return ""
	}
	text, before := fmt.Sprintf("preset %s (%s)", p.Name, p.Source()), "; deviations: "
	for _, w := range o.Summary.Warnings {
		if w.Kind == PresetWarning {
			text, before = text+before+w.Text, "; "
		}
	}
	return text
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
