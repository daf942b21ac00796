package page

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
)

// A headLine is one line of the header.
type headLine struct{ Name, Text string }

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
func (r *results) facts(of *fold.Run, e plan.Environment) []headLine {
	list := []headLine{
		{"Protocol", strings.TrimPrefix(fold.Protocol(of.Config), "protocol ")},
		{"Data set", filepath.Base(of.Config.Dataset.Root)}, // the config has the path
	}
	legend := r.legend(of)
	var shown []*catalogue.Metric
	for _, c := range columns(&fold.Runs{Runs: []*fold.Run{of}}) {
		shown = append(shown, c.Metric)
	}
	if name, text, said := strings.Cut(legend.Matches(shown...), ": "); said {
		list = append(list, headLine{name, text})
	}
	for _, s := range of.Config.KeypointSets {
		list = append(list, headLine{"Keypoints " + s.Name, s.String()})
	}
	if text := legend.Settings(); text != "" {
		list = append(list, headLine{"Settings", text})
	}
	if note := fold.PresetNote(of.Config, of.Summary.Evaluated(), scope.All, notes.Texts); note != "" {
		list = append(list, headLine{"Preset", note})
	}
	return append(list, headLine{"Versions", fmt.Sprintf("descbench %s, %s, OpenCV %s (%s), gocv %s; %s", e.Program, e.Go, e.OpenCV, e.Dispatch, e.GoCV, e.CPU)})
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

// remarks returns each warning and then each note once.
func (r *results) remarks() []string {
	var all []fact.Fact
	for _, one := range r.Runs.Runs {
		for _, f := range one.Summary.Warnings {
			if notes.Deviates(f.Kind) || f.Kind == fact.FailedScenes || f.Kind == fact.OtherWindows {
				continue // the header has them, or those of all runs are below
			}
			if i := slices.IndexFunc(one.Systems, func(s *fold.System) bool { return s.Descriptor == f.Descriptor }); i >= 0 {
				if f.Descriptor = one.Systems[i].Name; !slices.Contains(r.Systems, one.Systems[i]) {
					continue
				}
			}
			all = append(all, f)
		}
	}
	all = append(all, r.legend(r.Runs.Runs...).Windows()...)
	scenes := len(r.Scenes())
	if slices.ContainsFunc(r.Systems, func(s *fold.System) bool { return len(s.Summary.Scenes) < scenes }) {
		all = append(all, fact.New(fact.DifferentScenes).With("n", float64(scenes)))
	}
	return notes.Lines(all, len(r.Systems))
}
