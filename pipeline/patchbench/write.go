package patchbench

import (
	"context"
	"errors"
	"os"

	"descbench/eval"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// WriteFolder writes results of descriptors of different names into the folder
// dir, under the names that run folders use: metrics.csv, and a SQLite file with
// these results alone. It returns the paths of the files.
func WriteFolder(ctx context.Context, dir, version string, results []Result) (files []string, err error) {
	if plan.Folder(dir).IsRun() {
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
	database := plan.Folder(temporary).Database()
	var metrics []eval.Result
	for _, r := range results {
		if err := Enter(ctx, database, version, r); err != nil {
			return nil, err
		}
		metrics = append(metrics, eval.Result{Descriptor: r.Descriptor, Metrics: r.Metrics})
	}
	files = []string{plan.Folder(dir).Metrics(), plan.Folder(dir).Database()}
	if err := store.WriteMetricsCSV(files[0], metrics); err != nil {
		return nil, plan.Fault(err)
	}
	if err := os.Rename(database, files[1]); err != nil {
		return nil, plan.Fault(err)
	}
	return files, nil
}
