package fold

import (
	"fmt"
	"path/filepath"
	"slices"

	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// A System is a descriptor of one of the runs that are shown or compared together.
// Its index among the systems of all runs selects its look in every figure.
type System struct {
	Name       string // the descriptor's, or RUN:descriptor if several of the runs have one of that name
	Run        string // label of the run
	Descriptor string // name in the run's config
}

// Systems names the descriptors of several runs, given the label of each run and
// its descriptors. They keep their order.
func Systems(labels []string, descriptors [][]string) []System {
	count := make(map[string]int)
	for _, names := range descriptors {
		for _, name := range names {
			count[name]++
		}
	}
	var all []System
	for i, names := range descriptors {
		for _, name := range names {
			s := System{name, labels[i], name}
			if count[name] > 1 {
				s.Name = s.Run + ":" + name
			}
			all = append(all, s)
		}
	}
	return all
}

// Labels labels runs by the names of their folders, or by their full paths if
// two folders have the same name. It returns an error if two are the same folder.
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
