package page

import (
	"fmt"
	"path/filepath"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
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

// remarks returns what a reader must know, each fact once, but for the failures and keypoint sets, which stand
// elsewhere.
func (r *results) remarks() []string {
	var metrics []*catalogue.Metric
	for _, one := range r.Runs.Runs {
		for _, name := range one.MetricNames() {
			metrics = append(metrics, catalogue.Of(name))
		}
	}
	all := slices.Concat(compare.Rules(r.Runs), compare.Facts(r.Runs, scope.All, metrics...), compare.NewLegend(r.Systems).Facts())
	return notes.Strings(notes.Lines(fact.Without(all, fact.Failure, fact.FailedScenes, fact.OtherSets),
		spelling.Words(r.Systems, func(s *fold.System) string { return s.Name })...))
}
