package page

import (
	"context"
	"slices"

	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
)

// A results holds the results of all runs.
type results struct {
	*fold.Runs
	Columns []column // of the ranking; systems are sorted and compared by the first
	// Comparisons holds the comparison of all systems with each baseline, by the index
	// of the baseline. It is nil with a single system.
	Comparisons []*report.Comparison
}

// newResults compares the systems of runs that compare.Open has opened with each other, if
// every run has the first metric of the ranking.
func newResults(ctx context.Context, runs *fold.Runs) (*results, error) {
	r := &results{Runs: runs, Columns: columns(runs)}
	if there := slices.DeleteFunc(slices.Clone(r.Columns), func(c column) bool { return !hasMetric(runs.Systems, c.Metric) }); len(there) > 0 {
		r.Columns = there
	}
	for _, one := range runs.Runs {
		if !hasMetric(one.Systems, r.Columns[0].Metric) {
			return r, nil
		}
	}
	if len(r.Systems) < 2 {
		return r, nil
	}
	var err error
	r.Comparisons, err = compare.WithEach(ctx, runs, r.Columns[0].Metric)
	return r, err
}

// hasMetric reports whether any system has a metric over all scenes.
func hasMetric(systems []*fold.System, metric string) bool {
	return slices.ContainsFunc(systems, func(s *fold.System) bool { _, there := s.Metric(scope.All, metric); return there })
}
