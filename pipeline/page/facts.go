package page

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// A fact is one line of the header.
type fact struct{ Name, Text string }

// legend returns the legend of the systems of some runs.
func (r *results) legend(runs ...*fold.Run) (l compare.Legend) {
	for _, of := range runs {
		l.Join(compare.NewLegend(of.Outcome, func(name string) bool {
			return slices.ContainsFunc(r.Systems, func(s *fold.System) bool { return s.Run == of && s.Descriptor == name })
		}).Named(of.NameOf))
	}
	return l
}

// facts describes a run that was computed in an environment.
func (r *results) facts(of *fold.Run, e plan.Environment) []fact {
	list := []fact{
		{"Protocol", strings.TrimPrefix(fold.Protocol(of.Config), "protocol ")},
		{"Data set", filepath.Base(of.Config.Dataset.Root)}, // the config has the path
	}
	legend := r.legend(of)
	var shown []string
	for _, c := range columns(&fold.Runs{Runs: []*fold.Run{of}}) {
		shown = append(shown, c.Metric)
	}
	if name, text, said := strings.Cut(legend.Matches(shown...), ": "); said {
		list = append(list, fact{name, text})
	}
	for _, s := range of.Config.KeypointSets {
		list = append(list, fact{"Keypoints " + s.Name, s.String()})
	}
	if text := legend.Settings(); text != "" {
		list = append(list, fact{"Settings", text})
	}
	if note := fold.PresetNote(of.Config, of.Summary.Evaluated(), scope.All); note != "" {
		list = append(list, fact{"Preset", strings.TrimPrefix(note, "preset ")})
	}
	return append(list, fact{"Versions", fmt.Sprintf("descbench %s, %s, OpenCV %s (%s), gocv %s; %s", e.Program, e.Go, e.OpenCV, e.Dispatch, e.GoCV, e.CPU)})
}

// failures says which scenes failed, and why.
func (r *results) failures() []string {
	var out []string
	for _, one := range r.Runs.Runs {
		for _, line := range report.GroupedFailures(report.Failures(one.Summary)) {
			if len(r.Runs.Runs) > 1 {
				line = one.Label + ": " + line
			}
			out = append(out, line)
		}
	}
	return out
}

// warnings returns each warning and then each note once.
func (r *results) warnings() []string {
	var all []report.WarningMessage
	for _, one := range r.Runs.Runs {
		for _, w := range one.Summary.Warnings {
			if w.Kind == fold.PresetWarning || w.Kind == scope.FailedScenes || w.Kind == store.OtherWindows {
				continue // the header has them, or those of all runs are below
			}
			if i := slices.IndexFunc(one.Systems, func(s *fold.System) bool { return s.Descriptor == w.Descriptor }); i >= 0 {
				if w.Descriptor = one.Systems[i].Name; !slices.Contains(r.Systems, one.Systems[i]) {
					continue
				}
			}
			all = append(all, w)
		}
	}
	for _, text := range r.legend(r.Runs.Runs...).Windows() {
		all = append(all, report.WarningMessage{Kind: store.OtherWindows, Text: text})
	}
	scenes := len(r.Scenes())
	if slices.ContainsFunc(r.Systems, func(s *fold.System) bool { return len(s.Summary.Scenes) < scenes }) {
		all = append(all, report.WarningMessage{Text: fmt.Sprintf("not all descriptors have results for all %d scenes, so that their means are over different scenes; differences are over the shared scenes only", scenes)})
	}
	lines := report.WarningLines(all, len(r.Systems))
	for i := range lines {
		lines[i] = strings.Replace(lines[i], "(--json lists all)", "(summary.json lists all)", 1)
	}
	return lines
}
