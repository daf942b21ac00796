package charts

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/spelling"
	"descbench/pipeline/classify"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
)

// classify returns the classifiers of the systems to show, whose samples are all
// queries with their nearest neighbours.
func (d *data) classify(ctx context.Context) (all []binary.System, err error) {
	for _, r := range d.runs.Runs {
		shown := slices.DeleteFunc(slices.Clone(d.systems), func(s *fold.System) bool { return s.Run != r })
		if len(shown) == 0 { // only the baseline is of this run
			continue
		}
		found, err := classify.Nearest(ctx, classify.Request{Systems: shown, At: binary.BestYouden})
		if err != nil {
			return nil, err
		}
		all = append(all, found.Systems...)
	}
	return all, nil
}

// classifier returns the builder of a graph of classifiers.
func classifier(graph func([]binary.System, report.LookOf) *figure.Graph, what string) builder {
	return func(_ context.Context, d *data, _ string) (drawing, error) {
		systems, err := d.classifiers()
		if errors.Is(err, plan.ErrWithoutUnits) {
			return drawing{}, missing("the run was shared without units")
		}
		if err != nil {
			return drawing{}, err
		}
		if len(systems) == 0 {
			return drawing{}, missing("no descriptor has distances of matches that are known to be right or wrong")
		}
		g := graph(systems, func(system int) figure.Look {
			return d.looks[d.systems[slices.IndexFunc(d.systems, func(s *fold.System) bool { return s.Index == system })]]
		})
		what := what
		if g.References == nil {
			what += " It differs by descriptor, and is noted after the AP of each."
		}
		if len(g.Curves) == 0 {
			return drawing{}, missing("the nearest neighbours are all correct or all wrong")
		}
		population := fmt.Sprintf("Each sample is a query with its nearest neighbour; it is positive if the neighbour is within %g px of the query's projection.",
			d.runs.Runs[0].Config.Evaluation.TolerancePx)
		var positives []int
		for _, s := range systems {
			positives = append(positives, int(s.Summary.Positives))
		}
		return drawing{Figure: g, said: []string{what, population, "Samples are pooled over scenes (" + spelling.Counts(positives, "positive") + ")."}}, nil
	}
}
