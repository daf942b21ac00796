package pipeline

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"descbench/eval"
	"descbench/pipeline/store"
)

// DescriptorMetrics are the metrics of one descriptor in one scope, by name.
type DescriptorMetrics struct {
	Descriptor string
	Metrics    map[string]eval.Metric
}

// Metrics returns what a folded run measured in one scope ("all", "viewpoint",
// "k:2", "scene:v_wall", "pair:v_wall/1_3"), by descriptor in the order of the
// config.
func Metrics(run, scope string) ([]DescriptorMetrics, error) {
	f := folder{run}
	plan, err := f.plan()
	if err != nil {
		return nil, err
	}
	rows := make([]DescriptorMetrics, len(plan.Config.Descriptors))
	place := make(map[string]int)
	for i, d := range plan.Config.Descriptors {
		rows[i] = DescriptorMetrics{d.Name, make(map[string]eval.Metric)}
		place[d.Name] = i
	}
	var scopes []string
	found := false
	err = store.ReadMetricsCSV(f.metrics(), func(descriptor string, m eval.Metric) {
		if m.Scope == scope {
			found = true
			if i, ok := place[descriptor]; ok {
				rows[i].Metrics[m.Name] = m
			}
		} else if !found && !slices.Contains(scopes, m.Scope) && !strings.HasPrefix(m.Scope, "pair:") {
			scopes = append(scopes, m.Scope)
		}
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, dataErrorf("%s: has no results yet; see descbench status %s", run, run)
	case err != nil:
		return nil, &DataError{err}
	case !found:
		return nil, dataErrorf("%s: scope %q is none of this run, want one of %s or pair:SCENE/1_K", run, scope, strings.Join(scopes, ", "))
	}
	return rows, nil
}
