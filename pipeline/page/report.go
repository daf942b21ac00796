package page

import (
	"context"
	"slices"

	"descbench/eval/catalogue"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// A results holds the results of all runs.
type results struct {
	Runs    []*run
	Systems []*fold.System // in the order of the runs
	// Comparisons holds the comparison of all systems with each baseline, by the index
	// of the baseline. It is nil with a single system.
	Comparisons []*report.Comparison
}

// A run is one folded run.
type run struct {
	*fold.Run
	Digest      string // of the results
	Environment plan.Environment
}

// newResults returns the results of open runs.
func newResults(ctx context.Context, runs *fold.Runs) (*results, error) {
	r := &results{Systems: runs.Systems}
	for _, of := range runs.Runs {
		one := &run{Run: of}
		var err error
		if one.Digest, err = digest(of.Folder); err != nil {
			return nil, err
		}
		if one.Environment, err = of.Environment(); err != nil {
			return nil, err
		}
		r.Runs = append(r.Runs, one)
	}
	return r, r.compare(ctx, runs)
}

// compare compares the systems with each other, if every run has mAP.
func (r *results) compare(ctx context.Context, runs *fold.Runs) error {
	for _, one := range r.Runs {
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
	r.Comparisons, err = compare.WithEach(ctx, runs)
	return err
}
