package y2016

import (
	"math"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/patches"
	"descbench/eval/scope"
)

func metricOf(t *testing.T, metrics []scope.Metric, within, name string) scope.Metric {
	t.Helper()
	for _, m := range metrics {
		if m.Scope == within && m.Name == name {
			return m
		}
	}
	t.Fatalf("no %s of %s", name, within)
	return scope.Metric{}
}

func wantMetric(t *testing.T, metrics []scope.Metric, scope, name string, value float64, n int) {
	t.Helper()
	if m := metricOf(t, metrics, scope, name); math.Abs(m.Value-value) > 1e-15 || m.N != n {
		t.Errorf("%s of %s: got %v of %d, want %v of %d", name, scope, m.Value, m.N, value, n)
	}
}

func TestMatchingIsAveragedOverPairsCategoriesAndSequences(t *testing.T) {
	r := MatchingResult{Pairs: []PairResult{
		{Sequence: "i_a", APOverCorrect: 0.1}, {Sequence: "i_a", APOverCorrect: 0.3}, {Sequence: "i_b", APOverCorrect: 0.8}, {Sequence: "v_c", APOverCorrect: 1},
	}}
	m := r.Metrics()
	wantMetric(t, m, "all", "patch_match_map_over_correct", 0.55, 4)
	wantMetric(t, m, scope.Illumination, "patch_match_map_over_correct", 0.4, 3)
	wantMetric(t, m, scope.Viewpoint, "patch_match_map_over_correct", 1, 1)
	wantMetric(t, m, "scene:i_a", "patch_match_map_over_correct", 0.2, 2)
	wantMetric(t, m, "scene:i_b", "patch_match_map_over_correct", 0.8, 1)
}

func TestClassificationIsPartedBySequenceAfterItIsBalanced(t *testing.T) {
	c := &Classes{
		Positive: []float64{1, 3}, PositiveSequence: []string{"i_a", "v_b"},
		// Balanced takes 2 and 0 alone.
		Negative: []float64{2, 0, 4}, NegativeSequence: []string{"i_a", "v_b", "v_b"},
	}
	m := must.Get(ClassificationMetrics(c))(t)
	wantMetric(t, m, "all", "patch_classify_balanced_roc_auc", 0.25, 4)            // 1<2, but 1>0, 3>2, 3>0
	wantMetric(t, m, "scene:i_a", "patch_classify_balanced_roc_auc", 1, 2)         // 1<2
	wantMetric(t, m, "scene:v_b", "patch_classify_balanced_roc_auc", 0, 2)         // 3>0
	wantMetric(t, m, scope.Viewpoint, "patch_classify_imbalanced_roc_auc", 0.5, 3) // 3>0, 3<4
	wantMetric(t, m, "scene:v_b", "patch_classify_imbalanced_average_precision", 0.5, 3)
}

func TestClassesOfUnknownSequencesHaveFiguresOfAllAlone(t *testing.T) {
	m := must.Get(ClassificationMetrics(&Classes{Positive: []float64{1}, Negative: []float64{2}}))(t)
	for _, metric := range m {
		if metric.Scope != "all" {
			t.Errorf("a figure of %s", metric.Scope)
		}
	}
	wantMetric(t, m, "all", "patch_classify_imbalanced_roc_auc", 1, 2)
}

func TestChanceIsTheShareOfRelevantPatches(t *testing.T) {
	rows := func() *descriptors.Matrix { return descriptors.New(3, 2, descriptors.Float32) }
	set, err := patches.NewSet("d", map[string]map[string]*descriptors.Matrix{"i_a": {"ref": rows(), "e1": rows()}})
	must.Do(t, err)
	b, err := ReadRetrievalBenchmark("f", strings.NewReader("i_a.ref,i_a.e1\ni_a.ref.1\n"))
	must.Do(t, err)
	_, err = ReadClusters("l", strings.NewReader("i_a.ref,i_a.e1\ni_a.ref.1,i_a.e1.3\n"), b, set)
	must.Fail(t, err, "l: line 2: i_a.e1.3: index 3, want 0 to 2")
	// Of the five patches besides the query, one is in its cluster, and all are of
	// its images.
	r, err := EvaluateRetrieval(b, b.SamePlace(), [][]patches.Signature{b.Queries}, set)
	must.Do(t, err)
	wantMetric(t, r.Metrics(), "all", "patch_retrieve_chance_patch", 0.2, 1)
	wantMetric(t, r.Metrics(), "all", "patch_retrieve_chance_image", 1, 1)
}
