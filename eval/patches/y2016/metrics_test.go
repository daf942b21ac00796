package y2016

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		{Sequence: "i_a", APOverN: 0.1}, {Sequence: "i_a", APOverN: 0.3}, {Sequence: "i_b", APOverN: 0.8}, {Sequence: "v_c", APOverN: 1},
	}}
	m := r.Metrics()
	wantMetric(t, m, "all", "patch_match_map_over_n", 0.55, 4)
	wantMetric(t, m, scope.Illumination, "patch_match_map_over_n", 0.4, 3)
	wantMetric(t, m, scope.Viewpoint, "patch_match_map_over_n", 1, 1)
	wantMetric(t, m, "scene:i_a", "patch_match_map_over_n", 0.2, 2)
	wantMetric(t, m, "scene:i_b", "patch_match_map_over_n", 0.8, 1)
}

func TestClassificationIsPartedBySequenceAfterItIsBalanced(t *testing.T) {
	c := &Classes{
		Positive: []float64{1, 3}, PositiveSequence: []string{"i_a", "v_b"},
		// Balanced takes 2 and 0 alone.
		Negative: []float64{2, 0, 4}, NegativeSequence: []string{"i_a", "v_b", "v_b"},
	}
	m, err := ClassificationMetrics(c)
	if err != nil {
		t.Fatal(err)
	}
	wantMetric(t, m, "all", "patch_classify_balanced_roc_auc", 0.25, 4)            // 1<2, but 1>0, 3>2, 3>0
	wantMetric(t, m, "scene:i_a", "patch_classify_balanced_roc_auc", 1, 2)         // 1<2
	wantMetric(t, m, "scene:v_b", "patch_classify_balanced_roc_auc", 0, 2)         // 3>0
	wantMetric(t, m, scope.Viewpoint, "patch_classify_imbalanced_roc_auc", 0.5, 3) // 3>0, 3<4
	wantMetric(t, m, "scene:v_b", "patch_classify_imbalanced_average_precision", 0.5, 3)
}

func TestClassesOfUnknownSequencesHaveFiguresOfAllAlone(t *testing.T) {
	m, err := ClassificationMetrics(&Classes{Positive: []float64{1}, Negative: []float64{2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, metric := range m {
		if metric.Scope != "all" {
			t.Errorf("a figure of %s", metric.Scope)
		}
	}
	wantMetric(t, m, "all", "patch_classify_imbalanced_roc_auc", 1, 2)
}

// besideFiles are a retrieval benchmark and the labels of a matching benchmark.
func besideFiles(t *testing.T, files map[string]string) (retrieval string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "retrieval", "x.benchmark")
}

func TestTheMatchingBenchmarkBesideTellsHowManyPatchesThereAre(t *testing.T) {
	path := besideFiles(t, map[string]string{
		"matching/m.benchmark": "i_a.ref,i_a.e1\n",
		"matching/m.labels":    "i_a.ref,i_a.e1\n0,1,2\n0,1,2\n",
		"matching/n.labels":    "lonely",
	})
	c, err := CountsBeside(path)
	if err != nil {
		t.Fatal(err)
	}
	if n, known := c.of(patches.Signature{Sequence: "i_a", Image: "e5", Index: -1}); n != 3 || !known {
		t.Errorf("got %d, %v, want 3", n, known)
	}
	if _, known := c.of(patches.Signature{Sequence: "i_b", Image: "ref", Index: -1}); known {
		t.Error("nothing tells of i_b")
	}
	b, err := ReadRetrievalBenchmark("f", strings.NewReader("i_a.ref,i_a.e1\ni_a.ref.1\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = ReadClusters("l", strings.NewReader("i_a.ref,i_a.e1\ni_a.ref.1,i_a.e1.3\n"), b, c)
	if err == nil || !strings.HasPrefix(err.Error(), "l: line 2: i_a.e1.3: index 3, want 0 to 2 as in ") {
		t.Error(err)
	}
	// Of the five patches besides the query, one is in its cluster, and all are of
	// its images.
	r, err := EvaluateRetrieval(b, b.SamePlace(), [][]patches.Signature{b.Queries}, c)
	if err != nil {
		t.Fatal(err)
	}
	wantMetric(t, r.Metrics(), "all", "patch_retrieve_chance_patch", 0.2, 1)
	wantMetric(t, r.Metrics(), "all", "patch_retrieve_chance_image", 1, 1)
}

func TestCountsBesideMayBeMissingButNotContradictory(t *testing.T) {
	if c, err := CountsBeside(besideFiles(t, map[string]string{"retrieval/x.benchmark": ""})); c != nil || err != nil {
		t.Errorf("without a folder: %v, %v", c, err)
	}
	if c, err := CountsBeside(besideFiles(t, map[string]string{"matching/README": ""})); c != nil || err != nil {
		t.Errorf("without labels: %v, %v", c, err)
	}
	_, err := CountsBeside(besideFiles(t, map[string]string{
		"matching/m.benchmark": "i_a.ref,i_a.e1\ni_a.ref,i_a.e2\n",
		"matching/m.labels":    "i_a.ref,i_a.e1\n0,1,2\n0,1,2\ni_a.ref,i_a.e2\n0,1\n0,1\n",
	}))
	if err == nil || !strings.Contains(err.Error(), "m.labels: line 4: 2 patches in i_a, want 3 as in ") {
		t.Error(err)
	}
}
