package pipeline

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"descbench/eval"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// WritePatches writes results of descriptors of different names into the folder
// dir, under the names that run folders use: metrics.csv, and a SQLite file with
// these results alone. It returns the paths of the files.
func WritePatches(ctx context.Context, dir, version string, results []PatchResult) (files []string, err error) {
	f := plan.Folder(dir)
	if f.IsRun() {
		return nil, plan.Faultf("%s holds a run, want another folder for results of patches", dir)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, plan.Fault(err)
	}
	// The file appears whole, in the place of an earlier one.
	temporary, err := os.MkdirTemp(dir, ".results")
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	database := filepath.Join(temporary, filepath.Base(f.Database()))
	var metrics []eval.Result
	for _, r := range results {
		if err := EnterPatches(ctx, database, version, r); err != nil {
			return nil, err
		}
		metrics = append(metrics, eval.Result{Descriptor: r.Descriptor, Metrics: r.Metrics})
	}
	if err := store.WriteMetricsCSV(f.Metrics(), metrics); err != nil {
		return nil, plan.Fault(err)
	}
	if err := os.Rename(database, f.Database()); err != nil {
		return nil, plan.Fault(err)
	}
	return []string{f.Metrics(), f.Database()}, nil
}
