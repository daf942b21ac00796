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

// wantMetric looks for a metric over n items; with n = 0 there must be none.
func wantMetric(t *testing.T, metrics []scope.Metric, scope, name string, value float64, n int) {
	t.Helper()
	for _, m := range metrics {
		if m.Scope == scope && m.Name == "patch_"+name {
			if math.Abs(m.Value-value) > 1e-15 || m.N != n {
				t.Errorf("%s of %s: got %v of %d, want %v of %d", name, scope, m.Value, m.N, value, n)
			}
			return
		}
	}
	if n > 0 {
		t.Errorf("no %s of %s", name, scope)
	}
}

func TestResultsAreAveragedOverItemsCategoriesAndSequences(t *testing.T) {
	r := &Result{
		Sequences: []string{"i_a", "i_a", "i_b", "v_c"},
		Figures:   []Figure{{Metric: "patch_ap", Values: []float64{0.1, 0.3, 0.8, 1}}, {Metric: "patch_chance", Mean: 0.3}},
	}
	r.setMeans()
	m := r.Metrics()
	wantMetric(t, m, "all", "ap", 0.55, 4)
	wantMetric(t, m, scope.Illumination, "ap", 0.4, 3)
	wantMetric(t, m, scope.Viewpoint, "ap", 1, 1)
	wantMetric(t, m, "scene:i_a", "ap", 0.2, 2)
	wantMetric(t, m, "scene:i_b", "ap", 0.8, 1)
	wantMetric(t, m, "scene:i_b", "chance", 0, 0)
	other := &Result{Figures: []Figure{{Metric: "patch_ap", Mean: 0.75, Values: []float64{0.75}}}}
	if mean := Mean([]*Result{r, other}); len(mean.Figures) != 1 || mean.Figures[0].Mean != 0.65 {
		t.Errorf("mean of 0.55 and 0.75: got %+v, want 0.65 alone", mean.Figures)
	}
}

func compared(sequence string, distance float64) ComparedPair {
	return ComparedPair{Distance: distance, Sequence: sequence}
}

func TestClassificationIsPartedBySequenceAfterItIsBalanced(t *testing.T) {
	c := &Classes{
		Positive: []ComparedPair{compared("i_a", 1), compared("v_b", 3)},
		// Balanced takes 2 and 0 alone.
		Negative: []ComparedPair{compared("i_a", 2), compared("v_b", 0), compared("v_b", 4)},
	}
	m := must.Get(c.Metrics())(t)
	wantMetric(t, m, "all", "classify_balanced_roc_auc", 0.25, 4)            // 1<2, but 1>0, 3>2, 3>0
	wantMetric(t, m, "scene:i_a", "classify_balanced_roc_auc", 1, 2)         // 1<2
	wantMetric(t, m, "scene:v_b", "classify_balanced_roc_auc", 0, 2)         // 3>0
	wantMetric(t, m, scope.Viewpoint, "classify_imbalanced_roc_auc", 0.5, 3) // 3>0, 3<4
	wantMetric(t, m, "scene:v_b", "classify_imbalanced_average_precision", 0.5, 3)
	c.Negative[2].Sequence = "" // read from a file of results
	m = must.Get(c.Metrics())(t)
	wantMetric(t, m, "all", "classify_balanced_roc_auc", 0.25, 4)
	wantMetric(t, m, "scene:i_a", "classify_balanced_roc_auc", 0, 0)
}

func TestChanceIsTheShareOfRelevantPatches(t *testing.T) {
	rows := func() *descriptors.Matrix { return descriptors.New(3, 2, descriptors.Float32) }
	set, err := patches.NewSet("d", map[string]map[string]*descriptors.Matrix{"i_a": {"ref": rows(), "e1": rows()}})
	must.Do(t, err)
	b, err := ReadRetrievalBenchmark("f", strings.NewReader("i_a.ref,i_a.e1\ni_a.ref.1\n"))
	must.Do(t, err)
	// Of the five patches besides the query, one is in its cluster, and all are of
	// its images.
	r, err := EvaluateRetrieval(b, b.SamePlace(), [][]patches.Signature{b.Queries}, set)
	must.Do(t, err)
	wantMetric(t, r.Metrics(), "all", "retrieve_chance_patch", 0.2, 1)
	wantMetric(t, r.Metrics(), "all", "retrieve_chance_image", 1, 1)
}

// Of three relevant items at ranks 1, 3 and 4 precisions are 1, 2/3 and 3/4 at recalls of
// 1/3, 2/3 and 1: 3/4 is the greatest from 0.34 on. The second ranking has none.
func TestTheCurveIsTheMeanOfTheGreatestPrecisionsFromARecallOn(t *testing.T) {
	var f Figure
	f.add([]int{1, 3, 4}, 3)
	f.add(nil, 0)
	wantCurve(t, f, 33, 0.5, 0.375)
}

// wantCurve compares the values up to a recall, in %, and above.
func wantCurve(t *testing.T, f Figure, upTo int, below, above float64) {
	t.Helper()
	for level, v := range f.MeanCurve() {
		if want := map[bool]float64{true: below, false: above}[level <= upTo]; v != want {
			t.Errorf("%s at recall %d %%: %v, want %v", f.Curve, level, v, want)
		}
	}
}
