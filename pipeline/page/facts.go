package page

import (
	"fmt"
	"path/filepath"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// A headLine is one line of the header.
type headLine struct{ Name, Text string }

// facts describes a run, which was computed in an environment.
func facts(of *fold.Run, e plan.Environment) []headLine {
	list := []headLine{
		{"Protocol", table.Sentences(fold.Setup(of.Config, catalogue.Of(catalogue.MAP))...)},
		{"Data set", filepath.Base(of.Config.Dataset.Root)}, // the config has the path
	}
	legend := compare.NewLegend(of.Systems)
	var shown []*catalogue.Metric
	for _, c := range columns(&fold.Runs{Runs: []*fold.Run{of}}) {
		shown = append(shown, c.Metric)
	}
	if matches := legend.Matches(shown...); matches != nil {
		list = append(list, headLine{"Matches", table.Sentences(matches...)})
	}
	for _, s := range of.Config.KeypointSets {
		list = append(list, headLine{"Keypoints " + s.Name, s.String()})
	}
	if settings := legend.Settings(); settings != nil {
		list = append(list, headLine{"Settings", table.Sentences(settings...)})
	}
	return append(list, headLine{"Versions", fmt.Sprintf("descbench %s, %s, OpenCV %s (%s), gocv %s; %s", e.Program, e.Go, e.OpenCV, e.Dispatch, e.GoCV, e.CPU)})
}

// failures says which scenes failed, and why.
func (r *results) failures() (out []string) {
	for _, one := range r.Runs.Runs {
		out = append(out, notes.Strings(notes.Lines(r.About(one, report.Failures(one.Summary)...)))...)
	}
	return out
}

// remarks returns each warning and then each note once.
func (r *results) remarks() []string {
	all := compare.Rules(r.Runs)
	var shown []string
	for _, s := range r.Systems {
		shown = append(shown, s.Name)
	}
	for _, one := range r.Runs.Runs {
		// The others stand elsewhere, or are those of all runs.
		all = append(all, r.About(one, fact.Without(one.Summary.Warnings, fact.FailedScenes, fact.OtherWindows)...)...)
	}
	all = append(all, fact.Without(compare.NewLegend(r.Systems).Facts(), fact.OtherSets)...)
	scenes := len(r.Scenes())
	if slices.ContainsFunc(r.Systems, func(s *fold.System) bool { return len(s.Summary.Scenes) < scenes }) {
		all = append(all, fact.New(fact.DifferentScenes).With("n", float64(scenes)))
	}
	return notes.Strings(notes.Lines(all, shown...))
}
