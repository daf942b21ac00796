package fold

import (
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/eval/scope"
)

// nearestAt returns a query whose nearest neighbour is so far in descriptor
// space and so many px from where it should be.
func nearestAt(scene string, distance, px float64) record.Query {
	return record.Query{Scene: scene, Nearest: 0, NearestDistance: distance, NearestError: px}
}

// Of v_a and v_b, positives are at 1, 2, 3 and 5, negatives at 4, 6, 7, 8: of 16
// pairs the positive is nearer in 15. The scene i_c has no negative.
func TestNearestNeighboursAreLabelledByBackProjection(t *testing.T) {
	pairs := newNearestPairs(3)
	without := record.Query{Scene: "v_a", Nearest: -1, NearestDistance: math.NaN(), NearestError: math.Inf(1)}
	for _, queries := range [][]record.Query{
		{nearestAt("v_a", 1, 0), nearestAt("v_a", 3, 3), nearestAt("v_a", 4, math.Nextafter(3, 4)), without},
		{nearestAt("v_b", 2, 1), nearestAt("v_b", 5, 2), nearestAt("v_b", 6, 50), nearestAt("v_b", 7, 9), nearestAt("v_b", 8, 700)},
		{nearestAt("i_c", 1, 1)},
	} {
		pairs.add(queries)
	}
	result := ranking.Result{Descriptor: "d", Metrics: []scope.Metric{
		{Scope: "all", Name: "coverage"}, {Scope: scope.Viewpoint, Name: "coverage"}, {Scope: scope.Illumination, Name: "coverage"}, {Scope: "k:2", Name: "coverage"},
	}}
	must.Do(t, pairs.close(t.Context()))
	result.Metrics, result.Facts = inScopes(result.Metrics, pairs.metrics), pairs.facts
	found := func(within, name string) (scope.Metric, bool) {
		i := slices.IndexFunc(result.Metrics, func(m scope.Metric) bool { return m.Scope == within && m.Name == name })
		if i < 0 {
			return scope.Metric{}, false
		}
		return result.Metrics[i], true
	}
	for _, want := range []struct {
		scope, name string
		value       float64
		n           int
	}{
		{scope.Viewpoint, "roc_auc", 15. / 16, 8},
		{scope.Viewpoint, "fpr95", 1. / 4, 4},
		{scope.Viewpoint, "best_youden_j", 3. / 4, 8},
		{scope.Illumination, "average_precision", 1, 1},
		{"all", "roc_auc", 19. / 20, 9}, // with the positive of i_c, nearer than all four
	} {
		m, ok := found(want.scope, want.name)
		if !ok || math.Abs(m.Value-want.value) > 1e-12 || m.N != want.n {
			t.Errorf("%s over %s is %+v, want %v of %d", want.name, want.scope, m, want.value, want.n)
		}
	}
	if _, ok := found(scope.Illumination, "roc_auc"); ok {
		t.Error("one class has an area under the ROC curve")
	}
	var scopes []string
	for _, m := range result.Metrics {
		scopes = append(scopes, m.Scope)
	}
	if got := strings.Join(slices.Compact(scopes), " "); got != "all viewpoint illumination k:2 scene:i_c scene:v_a scene:v_b" {
		t.Errorf("scopes in the order %s", got)
	}
	if !slices.ContainsFunc(result.Facts, func(f fact.Fact) bool {
		return f.Kind == fact.FewSamples && f.Numbers["positives"] == 5 && f.Numbers["negatives"] == 4
	}) {
		t.Errorf("facts: %v", result.Facts)
	}
}
