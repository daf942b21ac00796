package fold

import (
	"context"
	"fmt"
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/records"
	"descbench/pipeline/store/unitfile"
)

// CheckRecords computes the metrics of a run without units from its records of queries and pairs,
// and returns an error if metrics.csv or summary.json has others. It also returns the short names of
// the metrics that these records do not give: those of tasks.
func CheckRecords(ctx context.Context, f plan.Folder) (others []string, err error) {
	open, err := Open([]string{string(f)}, nil)
	if err != nil {
		return nil, err
	}
	r := open.Runs[0]
	stored := make(map[[3]string]scope.Metric) // by descriptor, scope and name
	err = r.EachMetric(func(descriptor string, m scope.Metric) { stored[[3]string{descriptor, m.Scope, m.Name}] = m })
	if err != nil {
		return nil, err
	}
	pairs, err := r.PairRecords()
	if err != nil {
		return nil, err
	}
	judges := make(map[string]*judge)
	for _, d := range r.Config.Descriptors {
		judges[d.Name] = newJudge(r.Config, d)
		for scene, reasons := range r.Summary.FailedScenes {
			for _, failure := range reasons {
				if slices.Contains(failure.Descriptors, d.Name) {
					judges[d.Name].fail(scene, failure.Reason)
				}
			}
		}
	}
	add := func(queries []record.Query) error { // those of the first scene and descriptor in pairs
		first, n := pairs[0], 1
		for n < len(pairs) && pairs[n].Descriptor == first.Descriptor && pairs[n].Scene == first.Scene {
			n++
		}
		unit := unitfile.EvalUnit{Queries: queries, Pairs: pairs[:n]}
		pairs = pairs[n:]
		if judges[first.Descriptor] == nil {
			return fmt.Errorf("%s: found %q, which is not in config.yaml", f.Pairs(), first.Descriptor)
		}
		return judges[first.Descriptor].add(unit)
	}
	var queries []record.Query
	err = records.Read(f.Queries(), func(rows []record.Query) error {
		for _, q := range rows {
			for len(pairs) > 0 && (pairs[0].Descriptor != q.Descriptor || pairs[0].Scene != q.Scene) {
				if err := add(queries); err != nil {
					return err
				}
				queries = nil
			}
			queries = append(queries, q)
		}
		return nil
	})
	for ; err == nil && len(pairs) > 0; queries = nil {
		if err = add(queries); err != nil {
			err = store.Damaged(f.Queries(), err)
		}
	}
	if err == nil && queries != nil {
		err = fmt.Errorf("%s: %d queries belong to no pair", f.Queries(), len(queries))
	}
	if err != nil {
		return nil, plan.Fault(err)
	}
	for _, d := range r.Config.Descriptors {
		name, j := d.Name, judges[d.Name]
		if err := j.nearest.close(ctx); err != nil {
			return nil, err
		}
		result, err := j.result(ctx, nil)
		if err != nil {
			return nil, err
		}
		for _, m := range result.Metrics {
			key := [3]string{name, m.Scope, m.Name}
			was := stored[key]
			if delete(stored, key); was.N != m.N || !same(was.Value, m.Value) || !same(was.Low, m.Low) || !same(was.High, m.High) {
				return nil, plan.Faultf("%s: %s of %s in %s is %g (%g to %g, n = %d), the records give %g (%g to %g, n = %d); changed after the run?",
					f.Metrics(), m.Name, name, m.Scope, was.Value, was.Low, was.High, was.N, m.Value, m.Low, m.High, m.N)
			}
		}
	}
	for key := range stored {
		others = append(others, catalogue.Short(key[2]))
	}
	slices.Sort(others)
	return slices.Compact(others), nil
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
