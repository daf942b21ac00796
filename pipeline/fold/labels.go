package fold

import (
	"fmt"
	"path/filepath"
	"slices"

	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// Labels returns labels for runs: the names of their folders, or their full paths
// where two folders have the same name. Naming a folder twice is an error.
func Labels(runs []string) ([]string, error) {
	labels := make([]string, len(runs))
	for i, run := range runs {
		path, err := filepath.Abs(run)
		if err != nil {
			return nil, plan.Fault(err)
		}
		labels[i] = filepath.Base(path)
		for _, other := range runs[:i] {
			if SameFolder(run, other) {
				return nil, &config.Error{File: "runs", Msg: fmt.Sprintf("%s and %s are the same run folder", other, run)}
			}
		}
	}
	out := slices.Clone(labels)
	for i := range labels {
		for j := range labels {
			if i != j && labels[i] == labels[j] {
				out[i] = filepath.Clean(runs[i])
			}
		}
	}
	return out, nil
}
