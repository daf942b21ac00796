package main

import (
	"cmp"
	"slices"

	"descbench/eval/fact"
	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// A shown is a run as the tables of results show it: within a scope, and the descriptors
// that are shown.
type shown struct {
	*fold.Outcome
	label   string // names it among the runs of the table
	lines   []report.Line
	group   func(descriptor string) string // names keypoints
	failure error                          // if no scene has results
}

func showOutcome(o *fold.Outcome) *shown {
	s := &shown{Outcome: o, group: o.KeypointGroup()}
	s.lines = report.SummaryLines(o.Summary, o.Timings, s.group)
	return s
}

// showRun shows a run. In a scope, lines have its metrics, and neither scenes nor time,
// which are those of the whole run.
func showRun(run *fold.Run, in string, everyMetric bool) (*shown, error) {
	run.ReadTimings()
	s := showOutcome(run.Outcome.Within(in).Renamed())
	s.label, s.failure = run.Label, run.Failure()
	if !everyMetric {
		return s, nil
	}
	metrics, err := run.In(in)
	if err != nil {
		return nil, err
	}
	for i := range s.lines {
		l := &s.lines[i]
		if l.Metrics = metrics[run.Systems[i].Descriptor]; in != scope.All {
			l.Of, l.Seconds = 0, 0
		}
	}
	return s, nil
}

// imports reports whether the run has imported matches.
func (s *shown) imports() bool {
	return slices.ContainsFunc(s.Config.Descriptors, func(d config.Descriptor) bool { return d.Matches != nil })
}

// posed reports whether the run estimates relative poses: its images have cameras.
func (s *shown) posed() bool {
	_, poses := matching.ByKind(s.Config.Evaluation.Estimators)
	return poses != nil
}

// ranked returns the lines of descriptors with rankings.
func (s *shown) ranked() []report.Line {
	return slices.DeleteFunc(slices.Clone(s.lines), func(l report.Line) bool { _, has := l.Metrics["total_queries_processed"]; return !has })
}

// keep keeps some descriptors with what is said about them.
func (s *shown) keep(chosen func(descriptor string) bool) {
	o, sum := *s.Outcome, *s.Summary
	sum.Descriptors = slices.DeleteFunc(slices.Clone(sum.Descriptors), func(d store.SummaryDescriptor) bool { return !chosen(d.Name) })
	sum.Warnings = slices.DeleteFunc(slices.Clone(sum.Warnings), func(f fact.Fact) bool {
		concerns := func(part string) bool { return s.Config.Concerns(part, chosen) }
		switch {
		case f.Kind == fact.OtherWindows:
			return true
		case f.Descriptor != "":
			return !chosen(f.Descriptor)
		case f.Names["keys"] != nil: // of programs
			return !slices.ContainsFunc(f.Names["keys"], concerns)
		}
		return !concerns(f.Part)
	})
	sum.Warnings = append(sum.Warnings, config.Windows(s.Config.Only(chosen).Descriptors)...)
	sum.FailedScenes = make(map[string][]store.Failure)
	for _, f := range report.Failures(&store.Summary{Descriptors: sum.Descriptors, FailedScenes: s.Summary.FailedScenes}) {
		sum.FailedScenes[f.Scenes[0]] = s.Summary.FailedScenes[f.Scenes[0]]
	}
	o.Summary, s.Outcome = &sum, &o
	s.lines = slices.DeleteFunc(s.lines, func(l report.Line) bool { return !chosen(l.Name) })
}

// keypointsOf maps each descriptor to the first one with the same keypoints.
func (s *shown) keypointsOf() map[string]string {
	of, first := make(map[string]string), make(map[string]string)
	for _, d := range s.Summary.Descriptors {
		group := s.group(d.Name)
		first[group] = cmp.Or(first[group], d.Name)
		of[d.Name] = first[group]
	}
	return of
}

// restrict keeps the descriptors that --only names, in every run or as RUN:NAME, and the runs
// that have some of them. --only takes methods of published rows, too: descriptors are restricted
// if it names any, and so are methods. Where rows of all runs are merged, those with equal results
// are one.
func (c *resultsChoice) restrict(open *fold.Runs, runs []*shown, merged bool) ([]*shown, error) {
	var only, methods []string
	for _, s := range runs {
		if p := s.Config.Preset(); c.published && p != nil {
			for _, r := range compare.PublishedRows(p.Name, c.scope) {
				methods = append(methods, r.Method)
			}
		}
	}
	for _, name := range c.only {
		if slices.Contains(methods, name) {
			c.methods = append(c.methods, name)
		}
		if _, err := open.Find("--only", name); err == nil || !slices.Contains(methods, name) {
			only = append(only, name)
		}
	}
	kept, err := open.Named("--only", only)
	if err != nil {
		return nil, err
	}
	if len(only) == 0 {
		kept = open.Systems
	}
	if merged && len(runs) > 1 {
		if err := open.Read(); err != nil {
			return nil, err
		}
		choice, err := compare.Choose(open, "", only, compare.Copies)
		if err != nil {
			return nil, err
		}
		kept, c.common = choice.Named, choice.Equal
	}
	if len(kept) == len(open.Systems) {
		return runs, nil
	}
	c.only = nil
	for i, s := range runs {
		names := shownNames(kept, open.Runs[i])
		c.only = append(c.only, names...)
		s.keep(func(descriptor string) bool { return slices.Contains(names, descriptor) })
		if len(c.common) > 0 { // which says it
			s.Summary.Warnings = slices.DeleteFunc(s.Summary.Warnings, func(f fact.Fact) bool { return f.Kind == fact.SameResults })
		}
	}
	return slices.DeleteFunc(runs, func(s *shown) bool { return len(s.lines) == 0 }), nil
}
