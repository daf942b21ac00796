package fold

import (
	"fmt"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
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
		return nil, &config.Error{File: "--scope " + within, Msg: fmt.Sprintf("%s lacks it%s, want one of %s or pair:SCENE/1_K", r.Folder, spelling.Hint(within, scopes), strings.Join(scopes, ", "))}
	}
	return rows, nil
}
