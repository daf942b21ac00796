package fold

import (
	"fmt"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
)

// In returns the metrics of the run in one scope ("all", "viewpoint", "k:2",
// "scene:v_wall", "pair:v_wall/1_3"), by descriptor and name.
func (r *Run) In(within string) (map[string]map[string]scope.Metric, error) {
	found := make(map[string]map[string]scope.Metric)
	var scopes []string
	err := r.EachMetric(func(descriptor string, m scope.Metric) {
		if m.Scope == within {
			if found[descriptor] == nil {
				found[descriptor] = make(map[string]scope.Metric)
			}
			found[descriptor][m.Name] = m
		} else if len(found) == 0 && !slices.Contains(scopes, m.Scope) && !strings.HasPrefix(m.Scope, "pair:") {
			scopes = append(scopes, m.Scope)
		}
	})
	if err == nil && len(found) == 0 {
		err = &config.Error{File: "--scope " + within, Msg: fmt.Sprintf("%s lacks it%s, want one of %s or pair:SCENE/1_K", r.Folder, spelling.Hint(within, scopes), strings.Join(scopes, ", "))}
	}
	return found, err
}
