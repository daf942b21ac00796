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

// legend returns the legend of the systems of some runs.
func (r *results) legend(runs ...*fold.Run) (l compare.Legend) {
	for _, of := range runs {
		l = append(l, compare.NewLegend(of.Outcome, of.NameOf, func(name string) bool {
			return slices.ContainsFunc(r.Systems, func(s *fold.System) bool { return s.Run == of && s.Descriptor == name })
		})...)
	}
	return l
}

// facts describes a run that was computed in an environment.
func (r *results) facts(of *fold.Run, e plan.Environment) []headLine {
	list := []headLine{
		{"Protocol", table.Sentences(append([]string{fold.Protocol(of.Config)}, fold.Setup(of.Config, catalogue.Of(catalogue.MAP))...)...)},
		{"Data set", filepath.Base(of.Config.Dataset.Root)}, // the config has the path
	}
	legend := r.legend(of)
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
		facts := report.Failures(one.Summary)
		for i, f := range facts {
			if len(r.Runs.Runs) > 1 {
				facts[i] = f.Within(one.Label)
			}
		}
		out = append(out, notes.Strings(notes.Lines(facts))...)
	}
	return out
}

// remarks returns each warning and then each note once.
func (r *results) remarks() []string {
	var all []fact.Fact
	var shown []string
	for _, s := range r.Systems {
		shown = append(shown, s.Name)
	}
	for _, one := range r.Runs.Runs {
		for _, f := range fact.Without(one.Summary.Warnings, fact.FailedScenes, fact.OtherWindows) { // which stand elsewhere, or are those of all runs
			if i := slices.IndexFunc(one.Systems, func(s *fold.System) bool { return s.Descriptor == f.Descriptor }); i >= 0 {
				if f.Descriptor = one.Systems[i].Name; !slices.Contains(r.Systems, one.Systems[i]) {
					continue
				}
			}
			all = append(all, f)
		}
	}
	all = append(all, fact.Without(r.legend(r.Runs.Runs...).Facts(), fact.OtherSets)...)
	scenes := len(r.Scenes())
	if slices.ContainsFunc(r.Systems, func(s *fold.System) bool { return len(s.Summary.Scenes) < scenes }) {
		all = append(all, fact.New(fact.DifferentScenes).With("n", float64(scenes)))
	}
	return notes.Strings(notes.Lines(all, shown...))
}
