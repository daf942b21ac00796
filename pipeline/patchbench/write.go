package patchbench

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"descbench/eval"
	"descbench/pipeline"
	"descbench/pipeline/store"
)

// WriteFolder writes results of descriptors of different names into the folder
// dir, under the names that run folders use: metrics.csv, and a SQLite file with
// these results alone. It returns the paths of the files.
func WriteFolder(ctx context.Context, dir, version string, results []Result) (files []string, err error) {
	if pipeline.IsRun(dir) {
		return nil, dataErrorf("%s holds a run, want another folder for results of patches", dir)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, place(err)
	}
	// The file appears whole, in the place of an earlier one.
	temporary, err := os.MkdirTemp(dir, ".results")
	if err != nil {
		return nil, place(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	database := filepath.Join(temporary, pipeline.DatabaseFile)
	var metrics []eval.Result
	for _, r := range results {
		if err := Enter(ctx, database, version, r); err != nil {
			return nil, err
		}
		metrics = append(metrics, eval.Result{Descriptor: r.Descriptor, Metrics: r.Metrics})
	}
	files = []string{filepath.Join(dir, pipeline.MetricsFile), filepath.Join(dir, pipeline.DatabaseFile)}
	if err := store.WriteMetricsCSV(files[0], metrics); err != nil {
		return nil, place(err)
	}
	if err := os.Rename(database, files[1]); err != nil {
		return nil, place(err)
	}
	return files, nil
}
