package fold

import (
	"context"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// DescriptorMetrics holds the metrics of one descriptor in one scope, by name.
type DescriptorMetrics struct {
	Descriptor string
	Metrics    map[string]scope.Metric
}

// In returns the metrics of the run in one scope ("all", "viewpoint", "k:2",
// "scene:v_wall", "pair:v_wall/1_3"), one element per descriptor in the order of the
// config.
func (r *Run) In(within string) ([]DescriptorMetrics, error) {
	rows := make([]DescriptorMetrics, len(r.Systems))
	place := make(map[string]int)
	for i, s := range r.Systems {
		rows[i] = DescriptorMetrics{s.Descriptor, make(map[string]scope.Metric)}
		place[s.Descriptor] = i
	}
	var scopes []string
	found := false
	err := r.EachMetric(func(descriptor string, m scope.Metric) {
		if m.Scope == within {
			found = true
			if i, ok := place[descriptor]; ok {
				rows[i].Metrics[m.Name] = m
			}
		} else if !found && !slices.Contains(scopes, m.Scope) && !strings.HasPrefix(m.Scope, "pair:") {
			scopes = append(scopes, m.Scope)
		}
	})
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, plan.Faultf("%s: no scope %q in this run%s, want one of %s or pair:SCENE/1_K", r.Folder, within, spelling.Hint(within, scopes), strings.Join(scopes, ", "))
	}
	return rows, nil
}

// InDatabase returns the metrics of one scope of the newest run of each experiment in a
// SQLite file. It names descriptors EXPERIMENT: DESCRIPTOR.
func InDatabase(ctx context.Context, path, within string) ([]DescriptorMetrics, error) {
	rows, err := store.ReadResults(ctx, path, store.Selection{Scope: within})
	if err != nil {
		return nil, plan.Fault(err)
	}
	var list []DescriptorMetrics
	for _, r := range store.Newest(rows) {
		if len(r.Metrics) == 0 {
			continue
		}
		of := DescriptorMetrics{r.Experiment + ": " + r.Descriptor, make(map[string]scope.Metric)}
		for _, m := range r.Metrics {
			of.Metrics[m.Name] = m
		}
		list = append(list, of)
	}
	if len(list) == 0 {
		return nil, plan.Faultf("%s: no experiment has metrics for scope %q", path, within)
	}
	return list, nil
}
