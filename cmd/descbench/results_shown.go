package main

import (
	"fmt"
	"maps"
	"slices"

	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
)

// imports reports whether a run has imported matches.
func imports(run *fold.Run) bool {
	return slices.ContainsFunc(run.Config.Descriptors, func(d config.Descriptor) bool { return d.Matches != nil })
}

// ranked reports whether a system has rankings.
func ranked(s *fold.System) bool {
	_, has := s.Metric(scope.All, "total_queries_processed")
	return has
}

// lines returns the lines of runs in the scope, and the names of the metrics that they have. Lines of
// runs with the same protocol may be in one group.
func (c *resultsChoice) lines(runs *fold.Runs) (lines []report.Line, has []string) {
	runs.Show(runs.Systems)
	sets, _ := fold.KeypointSets(runs.Systems)
	for _, run := range runs.Runs {
		has = append(has, run.MetricNames()...)
		same := slices.IndexFunc(runs.Runs, func(r *fold.Run) bool { return compare.SameEvaluation(r.Config, run.Config) })
		for _, l := range report.Lines(run, c.scope, sets) {
			has = append(has, slices.Sorted(maps.Keys(l.Metrics))...)
			l.Group = fmt.Sprint(same, " ", l.Group)
			lines = append(lines, l)
		}
	}
	return lines, distinct(has)
}

// restrict keeps the descriptors that --only names, in every run or as RUN:NAME, and the runs
// that have some of them. --only takes methods of published rows, too: descriptors are restricted
// if it names any, and so are methods. Where rows of all runs are merged, those with equal results
// are one.
func (c *resultsChoice) restrict(open *fold.Runs, merged bool) error {
	var only, methods []string
	for _, run := range open.Runs {
		if p := run.Config.Preset(); c.published && p != nil {
			for _, r := range compare.PublishedRows(p.Name, c.scope) {
				methods = append(methods, r.Method)
			}
		}
	}
	for _, name := range c.only {
		of := spelling.Matching(name, methods)
		c.methods = append(c.methods, of...)
		if _, err := open.Named("--only", []string{name}); err == nil || of == nil {
			only = append(only, name)
		}
	}
	kept, err := open.Named("--only", only)
	if err != nil {
		return err
	}
	if len(only) == 0 {
		kept = open.Systems
	}
	if merged && len(open.Runs) > 1 {
		if err := open.Read(); err != nil {
			return err
		}
		choice, err := compare.Choose(open, "", only, compare.Copies)
		if err != nil {
			return err
		}
		kept, c.common = choice.Named, choice.Equal
	}
	if len(kept) == len(open.Systems) {
		return nil
	}
	open.Keep(kept)
	return nil
}
