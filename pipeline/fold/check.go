package fold

import (
	"context"
	"fmt"
	"io"
	"os"
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
// and returns an error if metrics.csv has other lines, or summary.json other values. It also returns
// the short names of the metrics that these records do not give: those of tasks.
func CheckRecords(ctx context.Context, f plan.Folder) (others []string, err error) {
	open, err := Open([]string{string(f)}, nil)
	if err != nil {
		return nil, err
	}
	r := open.Runs[0]
	of := r.Config.Evaluation
	tasks := of.WorkbenchTasks != nil || of.Bojanic2019 != nil
	isOther := func(name string) bool { return tasks && catalogue.Of(name).Group == "tasks" }
	err = r.EachMetric(func(_ string, m scope.Metric) {
		if short := catalogue.Short(m.Name); isOther(m.Name) && !slices.Contains(others, short) {
			others = append(others, short)
		}
	})
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
	dir, err := os.MkdirTemp("", "descbench-verify-")
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	again := plan.Folder(dir)
	lines, err := store.NewMetricsWriter(again.Metrics())
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer lines.Abort()
	for _, d := range r.Config.Descriptors {
		j := judges[d.Name]
		if err := j.nearest.close(ctx); err != nil {
			return nil, err
		}
		result, err := j.result(ctx, nil)
		if err == nil {
			err = lines.Add(result)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := lines.Close(); err != nil {
		return nil, plan.Fault(err)
	}
	other := otherRow(3, "records", f, again, func(w io.Writer, of plan.Folder) error { return copyMetrics(w, of, isOther) })
	if other != "" {
		return nil, plan.Faultf("%s: %s; changed after the run?", f.Metrics(), other)
	}
	slices.Sort(others)
	return others, nil
}
