package ranking

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOrderChangesNoBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opt := drawOptions(t)
		records := drawRecords(t)
		failed := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"i_lost", "lost", "v_lost"}), rapid.ID).Draw(t, "failed")

		one := newAccumulator(opt)
		add(t, one, records...)
		for i, scene := range failed {
			one.Fail(scene, fmt.Sprint("reason ", i))
		}
		want := text(one.Result())

		// The same again in another order, each pair's queries shuffled.
		other := newAccumulator(opt)
		for _, i := range rapid.Permutation(indices(failed)).Draw(t, "order of failures") {
			other.Fail(failed[i], fmt.Sprint("reason ", i))
		}
		for _, i := range rapid.Permutation(indices(records)).Draw(t, "order of pairs") {
			r := records[i]
			add(t, other, pairRecord{r.pair, rapid.Permutation(r.queries).Draw(t, "order of queries")})
		}
		if got := text(other.Result()); got != want {
			t.Fatalf("got:\n%s\nwant:\n%s", got, want)
		}
	})
}

func indices[T any](of []T) []int {
	out := make([]int, len(of))
	for i := range out {
		out[i] = i
	}
	return out
}

func TestAddRefusesRecordsThatContradictEachOther(t *testing.T) {
	good := func() pairRecord {
		return pairOf("v_a", 2, 3, 0, row{truth: 1, less: 1, equal: 1, nearest: 1}, row{truth: none, nearest: 9})
	}
	for _, c := range []struct {
		name   string
		change func(*pairRecord)
		want   string
	}{
		{"another descriptor", func(r *pairRecord) {
			r.pair.Descriptor = "e"
			for i := range r.queries {
				r.queries[i].Descriptor = "e"
			}
		}, `d: v_a/1_2: records of descriptor "e"`},
		{"a query of another descriptor than the pair", func(r *pairRecord) { r.pair.Descriptor = "e" }, "e: v_a/1_2: row 0: record of d, v_a/1_2"},
		{"image 1 with itself", func(r *pairRecord) { r.pair.K = 1 }, "paired with image 1"},
		{"a query too few", func(r *pairRecord) { r.queries = r.queries[:1] }, "1 query records, want one for each of 2 keypoints"},
		{"a row too many", func(r *pairRecord) { r.queries[1].Row = 2 }, "found row 2, want row 1"},
		{"a row twice", func(r *pairRecord) { r.queries[1].Row = 0 }, "found row 0, want row 1"},
		{"a query of another descriptor", func(r *pairRecord) { r.queries[0].Descriptor = "e" }, "row 0: record of e, v_a/1_2"},
		{"a query of another scene", func(r *pairRecord) { r.queries[1].Scene = "v_b" }, "row 1: record of d, v_b/1_2"},
		{"a query of another pair", func(r *pairRecord) { r.queries[1].K = 3 }, "row 1: record of d, v_a/1_3"},
		{"a nearest out of range", func(r *pairRecord) { r.queries[0].Nearest = 3 }, "nearest neighbour is row 3 of 3"},
		{"a second that is nearer", func(r *pairRecord) { r.seconds(1, 0.5) }, "nearest neighbour at distance 1, second nearest at 0.5"},
		{"a distance below 0", func(r *pairRecord) { r.seconds(-1, 2) }, "nearest neighbour at distance -1"},
		{"a distance without end", func(r *pairRecord) { r.seconds(1, math.Inf(1)) }, "second nearest at +Inf"},
		{"a distance of NaN", func(r *pairRecord) { r.seconds(1, math.NaN()) }, "second nearest at NaN"},
		{"a nearest of NaN", func(r *pairRecord) { r.seconds(math.NaN(), 1) }, "nearest neighbour at distance NaN"},
		{"a nearest without end", func(r *pairRecord) { r.seconds(math.Inf(1), 1) }, "nearest neighbour at distance +Inf"},
	} {
		a := newAccumulator(Options{TolerancePx: 3})
		r := good()
		c.change(&r)
		if err := r.addTo(a); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want ... %s ...", c.name, err, c.want)
		}
		if n := len(a.Result().Scenes); n != 0 {
			t.Errorf("%s: it was added nevertheless", c.name)
		}
	}
	a := newAccumulator(Options{TolerancePx: 3})
	add(t, a, good())
	if good().addTo(a) == nil {
		t.Error("the same pair was added twice")
	}
}

// seconds gives the first query a second nearest candidate and two distances.
func (r *pairRecord) seconds(nearest, second float64) {
	r.queries[0].Second, r.queries[0].NearestDistance, r.queries[0].SecondDistance = 1, nearest, second
}

func TestAFailedSceneIsNamedWithItsReason(t *testing.T) {
	a := newAccumulator(Options{TolerancePx: 3, Cutoffs: []int{1}})
	add(t, a, pairOf("v_a", 2, 3, 0, row{truth: 1, less: 1, nearest: 1}))
	a.Fail("v_lost", "image 4 is missing")
	if r := a.Result(); len(r.Failed) != 1 || r.Failed["v_lost"] != "image 4 is missing" {
		t.Errorf("failed: %v", r.Failed)
	}
	if micro := a.TrueMAP().Value(); micro != 0.5 {
		t.Errorf("mAP so far %v, want 0.5", micro)
	}
}

func TestNothingAddedGivesNoMeans(t *testing.T) {
	a := newAccumulator(Options{TolerancePx: 3, Cutoffs: []int{1}})
	a.Fail("v_a", "gone")
	r := a.Result()
	for _, m := range r.Metrics {
		if !strings.HasPrefix(m.Name, "total_") || m.Value != 0 || m.Scope != "all" {
			t.Errorf("there is %+v", m)
		}
	}
	if ap := a.TrueMAP(); ap.N != 0 {
		t.Errorf("mAP so far of %d queries", ap.N)
	}
}

func TestScenesAndPairsAreSummedUp(t *testing.T) {
	// The same numbers as in handRecords.
	r := handResult(t)
	i := slices.IndexFunc(r.Scenes, func(s SceneResult) bool { return s.Name == "v_one" })
	got := r.Scenes[i]
	for i, m := range []struct{ got, want float64 }{
		{got.TrueMAP, 67. / 150}, {got.TrueMAPIncludingZeros, 67. / 240}, {got.Precision, 1. / 4},
		{got.Pairs[0].TrueMAP, 11. / 20}, {got.Pairs[0].Precision, 1. / 4},
		{got.Pairs[1].TrueMAP, 7. / 24}, {got.Pairs[1].Precision, 1. / 4},
	} {
		if math.Abs(m.got-m.want) > 1e-15 {
			t.Errorf("mean %d is %v, want %v", i, m.got, m.want)
		}
	}
	got.TrueMAP, got.TrueMAPIncludingZeros, got.Precision = 0, 0, 0
	for i := range got.Pairs {
		got.Pairs[i].TrueMAP, got.Pairs[i].Precision = 0, 0
	}
	want := SceneResult{
		Name: "v_one", Processed: 5, Excluded: 3, Matches: 6, Keypoints: 13, Images: 3, Invalid: 2,
		Pairs: []PairResult{
			{K: 2, Processed: 3, Excluded: 1, Matches: 3, Keypoints1: 4, KeypointsK: 4},
			{K: 3, Processed: 2, Excluded: 2, Matches: 3, Keypoints1: 4, KeypointsK: 5},
		},
	}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, s := range r.Scenes {
		switch s.Name {
		case "v_three": // queries, but none processed
			if !math.IsNaN(s.TrueMAP) || s.TrueMAPIncludingZeros != 0 || s.Precision != 0 {
				t.Errorf("%+v, want NaN, 0, 0", s)
			}
		case "v_five": // no queries
			if !math.IsNaN(s.TrueMAP) || s.TrueMAPIncludingZeros != 0 || !math.IsNaN(s.Precision) {
				t.Errorf("%+v, want NaN, 0, NaN", s)
			}
		}
	}
}

func TestRecordsAreNotModified(t *testing.T) {
	r := pairOf("v_a", 2, 3, 0, row{truth: 1, nearest: 1}, row{truth: none, nearest: 9})
	slices.Reverse(r.queries)
	before := slices.Clone(r.queries)
	add(t, newAccumulator(Options{TolerancePx: 3}), r)
	for i := range before {
		if r.queries[i].Row != before[i].Row {
			t.Fatal("the caller's queries were reordered")
		}
	}
}
