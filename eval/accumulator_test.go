package eval

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOrderSplittingAndMergingChangeNoBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opt := drawOptions(t)
		records := drawRecords(t)
		failed := rapid.SliceOf(rapid.SampledFrom([]string{"i_a", "v_b", "v_lost"})).Draw(t, "failed")

		whole := NewAccumulator("d", opt)
		add(t, whole, records...)
		for i, scene := range failed {
			whole.Fail(scene, fmt.Sprint("reason ", i))
		}
		want := text(whole.result(nil))

		// The same again in another order, scattered over shards, each pair's
		// queries shuffled, and the shards merged in another order.
		shards := make([]*Accumulator, rapid.IntRange(1, 4).Draw(t, "shards"))
		for i := range shards {
			shards[i] = NewAccumulator("d", opt)
		}
		any := func() *Accumulator { return shards[rapid.IntRange(0, len(shards)-1).Draw(t, "shard")] }
		for _, i := range rapid.Permutation(indices(failed)).Draw(t, "order of failures") {
			any().Fail(failed[i], fmt.Sprint("reason ", i))
		}
		for _, i := range rapid.Permutation(indices(records)).Draw(t, "order of pairs") {
			r := records[i]
			add(t, any(), record{r.pair, rapid.Permutation(r.queries).Draw(t, "order of queries")})
		}
		if len(failed) > 0 { // a failure may also be known to several
			any().Fail(failed[0], "reason 0")
		}
		merged := NewAccumulator("d", opt)
		for _, i := range rapid.Permutation(indices(shards)).Draw(t, "order of shards") {
			before := text(shards[i].result(nil))
			if err := merged.Merge(shards[i]); err != nil {
				t.Fatal(err)
			}
			if after := text(shards[i].result(nil)); after != before {
				t.Fatalf("merging changed what was merged:\n%s\n%s", before, after)
			}
		}
		if got := text(merged.result(nil)); got != want {
			t.Fatalf("merged:\n%s\nwhole:\n%s", got, want)
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
	good := func() record {
		return pairOf("v_a", 2, 3, 0, row{truth: 1, less: 1, equal: 1, nearest: 1}, row{truth: none, nearest: 9})
	}
	for _, c := range []struct {
		name   string
		change func(*record)
		want   string
	}{
		{"another descriptor", func(r *record) { r.pair.Descriptor = "e" }, `d: v_a/1_2: records of descriptor "e"`},
		{"no scene", func(r *record) { r.pair.Scene = "" }, "no scene"},
		{"image 1 with itself", func(r *record) { r.pair.K = 1 }, "paired with image 1"},
		{"more invalid rows than rows", func(r *record) { r.pair.InvalidK = 4 }, "4 of 3 rows of image 2"},
		{"a negative count", func(r *record) { r.pair.Invalid1 = -1 }, "-1 of 2 rows of image 1"},
		{"a query too few", func(r *record) { r.queries = r.queries[:1] }, "1 query records, want one for each of 2 keypoints"},
		{"a row twice", func(r *record) { r.queries[1].Row = 0 }, "row 0 where row 1 was expected"},
		{"a query of another descriptor", func(r *record) { r.queries[0].Descriptor = "e" }, "row 0: record of e, v_a/1_2"},
		{"a query of another scene", func(r *record) { r.queries[1].Scene = "v_b" }, "row 1: record of d, v_b/1_2"},
		{"a query of another pair", func(r *record) { r.queries[1].K = 3 }, "row 1: record of d, v_a/1_3"},
		{"more candidates than keypoints", func(r *record) { r.queries[0].Candidates = 4 }, "4 candidates among 3 keypoints"},
		{"a rank beyond the candidates", func(r *record) { r.queries[0].Less = 2 }, "2 candidates nearer and 1 as near as the truth, but 3 in all"},
		{"a rank that overflows", func(r *record) { r.queries[0].Less, r.queries[0].Equal = math.MaxInt32, math.MaxInt32 }, "but 3 in all"},
		{"a negative rank", func(r *record) { r.queries[0].Equal = -1 }, "-1 as near"},
		{"a rank without truth", func(r *record) { r.queries[1].Less = 1 }, "no truth"},
		{"a truth out of range", func(r *record) { r.queries[0].Truth = 3 }, "truth is row 3 of 3"},
		{"a truth too far", func(r *record) { r.queries[0].TruthError = 10.5 }, "truth at 10.5 px, want 0 to 10"},
		{"a truth at NaN", func(r *record) { r.queries[0].TruthError = math.NaN() }, "truth at NaN px"},
		{"a nearest out of range", func(r *record) { r.queries[0].Nearest = 3 }, "nearest is row 3 of 3"},
		{"a nearest at NaN", func(r *record) { r.queries[0].NearestError = math.NaN() }, "nearest at NaN px"},
		{"an invalid query with a nearest", func(r *record) { r.queries[0].Invalid, r.pair.Invalid1 = true, 1 }, "row 0: invalid, but row 0 is its nearest"},
		{"another number of invalid queries", func(r *record) { r.pair.Invalid1 = 1 }, "0 query records are invalid, the pair says 1"},
	} {
		a := NewAccumulator("d", Options{TolerancePx: 3})
		r := good()
		c.change(&r)
		if err := a.Add(r.pair, r.queries); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want ... %s ...", c.name, err, c.want)
		}
		if n := len(a.Result().Scenes); n != 0 {
			t.Errorf("%s: it was added nevertheless", c.name)
		}
	}
	a := NewAccumulator("d", Options{TolerancePx: 3})
	add(t, a, good())
	if r := good(); a.Add(r.pair, r.queries) == nil {
		t.Error("the same pair was added twice")
	}
	other := pairOf("v_a", 3, 3, 0, row{truth: none, nearest: none})
	if err := a.Add(other.pair, other.queries); err == nil || !strings.Contains(err.Error(), "image 1 is not that of pair 1_2") {
		t.Errorf("a scene with two sets of queries: %v", err)
	}
}

func TestAddRefusesOptionsThatMakeNoSense(t *testing.T) {
	r := pairOf("v_a", 2, 3, 0)
	for want, opt := range map[string]Options{
		"tolerance 10.5 px, want 0 to 10": {TolerancePx: 10.5},
		"tolerance -1 px":                 {TolerancePx: -1},
		"tolerance NaN px":                {TolerancePx: math.NaN()},
		"TieRule(7)":                      {TolerancePx: 3, Ties: 7},
		"cut-offs [0 1]":                  {TolerancePx: 3, Cutoffs: []int{0, 1}},
		"cut-offs [5 1]":                  {TolerancePx: 3, Cutoffs: []int{5, 1}},
		"cut-offs [1 1]":                  {TolerancePx: 3, Cutoffs: []int{1, 1}},
	} {
		if err := NewAccumulator("d", opt).Add(r.pair, r.queries); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want ... %s ...", opt, err, want)
		}
	}
	add(t, NewAccumulator("d", Options{TolerancePx: MaxTolerancePx}), r)
}

func TestMergeRefusesWhatDoesNotBelongTogetherAndAddsNothing(t *testing.T) {
	opt := Options{TolerancePx: 3, Cutoffs: []int{1}}
	one := pairOf("v_a", 2, 3, 0, row{truth: 1, nearest: 1})
	for name, b := range map[string]*Accumulator{
		"another descriptor": NewAccumulator("e", opt),
		"another tolerance":  NewAccumulator("d", Options{TolerancePx: 4, Cutoffs: []int{1}}),
		"other ties":         NewAccumulator("d", Options{TolerancePx: 3, Ties: Strict, Cutoffs: []int{1}}),
		"other cut-offs":     NewAccumulator("d", Options{TolerancePx: 3, Cutoffs: []int{1, 5}}),
		"a pair in common": func() *Accumulator {
			b := NewAccumulator("d", opt)
			add(t, b, pairOf("i_b", 2, 1, 0, row{truth: 1, nearest: 1}), one)
			return b
		}(),
		"a scene with other keypoints": func() *Accumulator {
			b := NewAccumulator("d", opt)
			add(t, b, pairOf("i_b", 2, 1, 0, row{truth: 1, nearest: 1}), pairOf("v_a", 3, 1, 0))
			b.Fail("v_a", "reason")
			return b
		}(),
	} {
		a := NewAccumulator("d", opt)
		add(t, a, one)
		before := text(a.Result())
		if err := a.Merge(b); err == nil {
			t.Errorf("%s was merged", name)
		} else if errors.Unwrap(err) == nil && !strings.Contains(err.Error(), "merge of figures") {
			t.Errorf("%s: %v", name, err)
		}
		if after := text(a.Result()); after != before {
			t.Errorf("%s: a refused merge changed the result from %s to %s", name, before, after)
		}
	}
}

func TestAFailedSceneCountsNowhere(t *testing.T) {
	opt := Options{TolerancePx: 3, Cutoffs: []int{1}}
	lost := []record{
		pairOf("v_lost", 2, 2, 0, row{truth: 1, nearest: 1}),
		pairOf("v_lost", 3, 2, 0, row{truth: 1, nearest: 1}),
	}
	rest := pairOf("v_a", 2, 3, 0, row{truth: 1, less: 1, nearest: 1})

	without := NewAccumulator("d", opt)
	add(t, without, rest)
	without.Fail("v_lost", "image 4 is missing")

	with := NewAccumulator("d", opt)
	add(t, with, lost[0])
	with.Fail("v_lost", "image 4 is missing")
	add(t, with, rest, lost[1])

	if got, want := text(with.Result()), text(without.Result()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	r := with.Result()
	if len(r.Failed) != 1 || r.Failed["v_lost"] != "image 4 is missing" {
		t.Errorf("failed: %v", r.Failed)
	}
	if micro, ok := with.RunningMAP(); !ok || micro != 0.5 {
		t.Errorf("running mAP %v, %v, want 0.5", micro, ok)
	}
	with.Fail("v_lost", "H_1_5 is singular")
	if got, want := with.Result().Failed["v_lost"], "H_1_5 is singular; image 4 is missing"; got != want {
		t.Errorf("two reasons: %q, want %q", got, want)
	}
}

func TestNothingAddedGivesNoMeans(t *testing.T) {
	a := NewAccumulator("d", Options{TolerancePx: 3, Cutoffs: []int{1}})
	a.Fail("v_a", "gone")
	r := a.Result()
	for _, m := range r.Metrics {
		if !strings.HasPrefix(m.Name, "total_") || m.Value != 0 || m.Scope != "all" {
			t.Errorf("there is %+v", m)
		}
	}
	if _, ok := a.RunningMAP(); ok {
		t.Error("there is a running mAP")
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
		Name: "v_one", Category: Viewpoint, Processed: 5, Excluded: 3, Matches: 6, Keypoints: 13, Images: 3, Invalid: 2,
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
			if !math.IsNaN(s.TrueMAP) || !math.IsNaN(s.TrueMAPIncludingZeros) || !math.IsNaN(s.Precision) {
				t.Errorf("%+v, want NaN, NaN, NaN", s)
			}
		}
	}
}

func TestRecordsAreNotModified(t *testing.T) {
	r := pairOf("v_a", 2, 3, 0, row{truth: 1, nearest: 1}, row{truth: none, nearest: 9})
	slices.Reverse(r.queries)
	before := slices.Clone(r.queries)
	add(t, NewAccumulator("d", Options{TolerancePx: 3}), r)
	for i := range before {
		if r.queries[i].Row != before[i].Row {
			t.Fatal("the caller's queries were reordered")
		}
	}
}
