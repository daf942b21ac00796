package y2016

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/patches"
	"descbench/eval/scope"
)

// sameSize returns a set of random real descriptors, n patches per image; those
// of a place are alike.
func sameSize(t testing.TB, n int, wanted map[string][]string) *patches.Set {
	t.Helper()
	const dim = 16
	all := map[string]map[string]*descriptors.Matrix{}
	for sequence, images := range wanted {
		all[sequence] = map[string]*descriptors.Matrix{}
		for _, image := range images {
			places := rand.New(rand.NewPCG(uint64(len(sequence)), uint64(sequence[0])))
			jitter := rand.New(rand.NewPCG(uint64(image[0]), uint64(image[len(image)-1])))
			m := &descriptors.Matrix{Rows: n, Dim: dim, Type: descriptors.Float32}
			for range n * dim {
				m.Float32 = append(m.Float32, float32(places.NormFloat64()+jitter.NormFloat64()))
			}
			all[sequence][image] = m
		}
	}
	return must.Get(patches.NewSet("random", all))(t)
}

var twoSequences = map[string][]string{"i_a": {"ref", "e1", "e2"}, "v_b": {"ref", "e1", "e2"}}

func TestWhatTheDescriptorsLackIsReportedWithTheLineThatWantsIt(t *testing.T) {
	set := sameSize(t, 60, twoSequences)
	refuses(t, func(file string) error {
		pairs, err := ReadPairs("f", strings.NewReader(file))
		if err != nil {
			return err
		}
		_, err = Compare(context.Background(), set, pairs, patches.L2, 1)
		return err
	}, map[string]string{
		"i_a.ref.0,i_a.e1.1,0\ni_a.ref.60,i_a.e1.0,0\n": "f: line 2: i_a.ref.60: index 60, want 0 to 59",
	})
	refuses(t, func(file string) error {
		b, err := ReadRetrievalBenchmark("b", strings.NewReader(file))
		if err != nil {
			return err
		}
		_, _, err = Retrieve(context.Background(), set, b, patches.L2, 1)
		return err
	}, map[string]string{
		"i_a.ref,i_a.e1\ni_a.ref.0\ni_a.e1.60\n": "b: line 3: i_a.e1.60: index 60, want 0 to 59",
	})
	few := sameSize(t, 25, twoSequences)
	b := must.Get(ReadRetrievalBenchmark("b", strings.NewReader("i_a.ref,i_a.e1\ni_a.ref.0\n")))(t)
	_, _, err := Retrieve(context.Background(), few, b, patches.L2, 1)
	must.Fail(t, err, "b: line 1: the pool has 50 patches, want at least 51")
}

// The example of the benchmark's first documents: the nearest neighbours of two
// patches are each other's counterparts.
func TestLabelsPairTheirSecondLineWithTheThird(t *testing.T) {
	b := matchingBenchmark(t, "s_boring.a,s_boring.b\n")
	results := "s_boring.a,s_boring.b\n1, 0\n12.3, 7.5\n0, 1\n14.2, 27.4\n"
	for labels, want := range map[string]float64{"0,1\n1,0\n": 1, "0,1\n0,1\n": 0, "1,0\n0,1\n": 1, "1,0\n1,0\n": 0} {
		l := must.Get(ReadMatchingLabels("l", strings.NewReader("s_boring.a,s_boring.b\n"+labels), b))(t)
		m := must.Get(ReadMatches("f", strings.NewReader(results), b, l))(t)
		r := must.Get(EvaluateMatching(m, l))(t)
		if got, share := r.Figures[0].Mean, r.Figures[2].Mean; got != want || share != want {
			t.Errorf("labels %q: got %v and %v, want %v", labels, got, share, want)
		}
	}
	l := must.Get(ReadMatchingLabels("l", strings.NewReader("s_boring.a,s_boring.b\n0,1\n1,0\n"), b))(t)
	if _, err := EvaluateMatching([]Matches{{Nearest: []int32{0}, Second: []int32{1}, Distance: []float64{1}, SecondDistance: []float64{1}}}, l); err == nil {
		t.Error("matches and labels of different numbers of patches were accepted")
	}
}

func TestMatchesAreRankedByDistanceAndByRatio(t *testing.T) {
	for block, want := range map[string]struct {
		of3    []float64 // average precisions by distance and by ratio
		upTo   int       // of the curve by distance: the recall up to which precision is 1
		beyond float64
	}{
		// Of distances 1, 2, 3 the second is of a wrong match; by ratio it is last.
		"0,0,2\n1,2,3\n1,1,0\n2,2.5,9\n": {[]float64{(1 + 2./3) / 2, 1}, 50, 2. / 3},
		// Patches 0 (wrong) and 1 (right) have both neighbours at distance 0, patch 2
		// (right) a ratio of 2: it ranks before both.
		"1,1,2\n0,0,1\n0,0,0\n0,0,2\n": {[]float64{(1./2 + 2./3) / 2, (1 + 2./3) / 2}, -1, 2. / 3},
		// All are correct; that at an infinite distance is never retrieved.
		"0,1,2\n1,inf,2\n1,0,0\n2,inf,inf\n": {[]float64{2. / 3, 2. / 3}, 100, 0},
	} {
		m, err := ReadMatches("f", strings.NewReader("v_x.ref,v_x.e1\n"+block), matchingBenchmark(t, "v_x.ref,v_x.e1\n"), nil)
		must.Do(t, err)
		r := must.Get(EvaluateMatching(m, nil))(t)
		near(t, block, []float64{r.Figures[0].Mean, r.Figures[1].Mean}, want.of3)
		wantCurve(t, r.Figures[0], want.upTo, 1, want.beyond)
	}
}

// By a full sort of all distances.
func TestRetrievalListsTheNearestPatchesOfThePool(t *testing.T) {
	set := sameSize(t, 40, twoSequences)
	b, err := ReadRetrievalBenchmark("b", strings.NewReader("v_b.ref,i_a.e1,v_b.e2\nv_b.ref.3\ni_a.e1.39\nv_b.e2.0\n"))
	must.Do(t, err)
	var members []patches.Signature
	for _, image := range []string{"v_b.ref", "i_a.e1", "v_b.e2"} {
		for n := range 40 {
			members = append(members, must.Get(patches.ParsePatch(fmt.Appendf(nil, "%s.%d", image, n)))(t))
		}
	}
	row := func(s patches.Signature) []float32 {
		return patches.AppendRow(nil, set.Image(s.Sequence, s.Image), s.Index)
	}
	for _, distance := range []patches.Distance{patches.L1, patches.L2Squared} {
		got, facts, err := Retrieve(context.Background(), set, b, distance, 2)
		must.Do(t, err)
		for q, query := range b.Queries {
			far := func(s patches.Signature) float64 {
				sum, x := 0.0, row(query)
				for k, v := range row(s) {
					d := math.Abs(float64(v) - float64(x[k]))
					if distance == patches.L2Squared {
						d *= d
					}
					sum += d
				}
				return sum
			}
			want := slices.Clone(members)
			slices.SortStableFunc(want, func(a, b patches.Signature) int {
				if far(a) < far(b) {
					return -1
				}
				return 1
			})
			if !slices.Equal(got[q], want[:51]) {
				t.Errorf("%s, query %s: got %v, want %v", distance, query, got[q], want[:51])
			}
		}
		if facts != nil {
			t.Errorf("facts %v", facts)
		}
	}
}

func TestAQueryWithATwinIsPutFirstAndReported(t *testing.T) {
	set := sameSize(t, 40, twoSequences)
	m := set.Image("v_b", "ref")
	copy(m.Float32[7*m.Dim:8*m.Dim], m.Float32[2*m.Dim:3*m.Dim])
	copy(m.Float32[9*m.Dim:10*m.Dim], m.Float32[2*m.Dim:3*m.Dim])
	b, err := ReadRetrievalBenchmark("b", strings.NewReader("v_b.ref,v_b.e1\nv_b.ref.2\nv_b.ref.7\nv_b.ref.9\nv_b.ref.1\n"))
	must.Do(t, err)
	got, facts, err := Retrieve(context.Background(), set, b, patches.L2, 1)
	must.Do(t, err)
	for q, want := range [][]int{{2, 7, 9}, {7, 2, 9}, {9, 2, 7}} {
		for i, index := range want {
			if s := got[q][i]; s != (patches.Signature{Sequence: "v_b", Image: "ref", Index: index}) {
				t.Errorf("query %d, entry %d: got %s, want patch %d", q, i, s, index)
			}
		}
		if len(got[q]) != 51 {
			t.Errorf("query %d: %d entries", q, len(got[q]))
		}
	}
	want := []fact.Fact{fact.New(fact.QueryNotFirst).Counting(2, 4).Naming("first", "v_b.ref.7").Naming("equal", "v_b.ref.2")}
	if !reflect.DeepEqual(facts, want) {
		t.Errorf("got %v, want %v", facts, want)
	}
}

// Query 0 finds its two relevant patches at ranks 1 and 3 of 50, query 1 none:
// its cluster is itself alone.
func TestRetrievalIsDividedByQueriesNotByQueriesAndOne(t *testing.T) {
	b := retrievalBenchmark(t)
	clusters, err := ReadClusters("l", strings.NewReader("a.ref,a.e1\na.ref.0,a.e1.0,a.e1.2,a.e1.77\na.ref.1\n"), b, nil)
	must.Do(t, err)
	rankings, err := ReadRankings("f", strings.NewReader("a.ref,a.e1\n"+ranking("a.ref.0", 51)+ranking("a.ref.1", 51)), b, nil)
	must.Do(t, err)
	r := must.Get(EvaluateRetrieval(b, clusters, rankings, nil))(t)
	near(t, "images", append(r.Figures[0].Values, r.Figures[0].Mean), []float64{1, 0, 0.5})
	ap := (1 + 2./3) / 2
	near(t, "patches", append(r.Figures[1].Values, r.Figures[1].Mean), []float64{ap, 0, ap / 2})
	wantCurve(t, r.Figures[0], 100, 0.5, 0)
	wantCurve(t, r.Figures[1], 50, 0.5, 1./3)
	if len(r.Figures) != 2 {
		t.Errorf("chance without descriptors: %v", r.Figures[2:])
	}
}

func TestTooFewNegativesAndChanceAreWarnedAbout(t *testing.T) {
	r := EvaluateClassification(&Results{Positive: true, Distances: []float64{5, 6, 7}}, &Results{Distances: []float64{1, 2}})
	var kinds []fact.Kind
	for _, f := range r.Facts {
		kinds = append(kinds, f.Kind)
	}
	if want := []fact.Kind{fact.FewNegatives, fact.FewSamples, fact.AUCBelowHalf, fact.FewSamples, fact.AUCBelowHalf}; !slices.Equal(kinds, want) {
		t.Errorf("got %v, want %v", kinds, want)
	}
}

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

func TestClassificationIsPartedBySequenceAfterItIsBalanced(t *testing.T) {
	c := EvaluateClassification(
		&Results{Positive: true, Distances: []float64{1, 3}, Sequences: []string{"i_a", "v_b"}},
		&Results{Distances: []float64{2, 0, 4}, Sequences: []string{"i_a", "v_b", "v_b"}}, // balanced takes 2 and 0 alone
	)
	m := c.Metrics()
	wantMetric(t, m, "all", "classify_balanced_roc_auc", 0.25, 4)            // 1<2, but 1>0, 3>2, 3>0
	wantMetric(t, m, "scene:i_a", "classify_balanced_roc_auc", 1, 2)         // 1<2
	wantMetric(t, m, "scene:v_b", "classify_balanced_roc_auc", 0, 2)         // 3>0
	wantMetric(t, m, scope.Viewpoint, "classify_imbalanced_roc_auc", 0.5, 3) // 3>0, 3<4
	wantMetric(t, m, "scene:v_b", "classify_imbalanced_average_precision", 0.5, 3)
	c.Negative.Sequences = nil // read from a file of results
	m = c.Metrics()
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
