package page

import (
	"context"

	"descbench/pipeline/fold"
)

// A report holds the results of all runs.
type report struct {
	Runs    []*fold.Outcome
	Systems []fold.System // in the order of the runs; its index selects the look of a system
}

// read reads folded runs.
func read(_ context.Context, runs []string) (*report, error) {
	labels, err := fold.Labels(runs)
	if err != nil {
		return nil, err
	}
	r := &report{}
	descriptors := make([][]string, len(runs))
	for i, run := range runs {
		outcome, err := fold.Read(run)
		if err != nil {
			return nil, err
		}
		r.Runs = append(r.Runs, outcome)
		for _, d := range outcome.Summary.Descriptors {
			descriptors[i] = append(descriptors[i], d.Name)
		}
	}
	r.Systems = fold.Systems(labels, descriptors)
	return r, nil
}
