package page

import (
	"context"
	"slices"

	"descbench/eval/catalogue"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// A results holds the results of all runs.
type results struct {
	*fold.Runs
	// Comparisons holds the comparison of all systems with each baseline, by the index
	// of the baseline. It is nil with a single system.
	Comparisons []*report.Comparison
}

// compare compares the systems with each other, if every run has mAP.
func (r *results) compare(ctx context.Context) error {
	for _, one := range r.Runs.Runs {
		if !slices.ContainsFunc(one.Summary.Descriptors, func(d store.SummaryDescriptor) bool {
			_, defined := d.Metrics.Get(catalogue.MAP)
			return defined
		}) {
			return nil
		}
	}
	if len(r.Systems) < 2 {
		return nil
	}
	var err error
	r.Comparisons, err = compare.WithEach(ctx, r.Runs)
	return err
}

// Tested reports whether any difference is tested.
func (r *results) Tested() bool {
	return slices.ContainsFunc(r.Comparisons, func(c *report.Comparison) bool {
		return slices.ContainsFunc(c.Rows, func(row report.ComparisonRow) bool { return row.Tested })
	})
}
