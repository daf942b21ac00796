package matching

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval"
)

func TestOrderSplittingAndMergingChangeNoBit(t *testing.T) {
	viewpoint := Subset{"v", func(scene string) bool { return strings.HasPrefix(scene, "v_") }}
	rapid.Check(t, func(t *rapid.T) {
		opt := Options{TolerancePx: rapid.SampledFrom([]float64{0, 2.5, 3, 10}).Draw(t, "tolerance")}
		records := drawRecords(t)
		failed := rapid.SliceOf(rapid.SampledFrom([]string{"i_a", "v_b", "v_lost"})).Draw(t, "failed")

		whole := NewAccumulator("d", opt)
		add(t, whole, records...)
		for _, scene := range failed {
			whole.Fail(scene)
		}
		want := text(whole.Result(viewpoint))

		// The same again in another order, scattered over shards, each pair's
		// queries shuffled, and the shards merged in another order.
		shards := make([]*Accumulator, rapid.IntRange(1, 4).Draw(t, "shards"))
		for i := range shards {
			shards[i] = NewAccumulator("d", opt)
		}
		any := func() *Accumulator { return shards[rapid.IntRange(0, len(shards)-1).Draw(t, "shard")] }
		for _, scene := range failed {
			any().Fail(scene)
		}
		for _, r := range rapid.Permutation(records).Draw(t, "order of pairs") {
			add(t, any(), record{r.pair, rapid.Permutation(r.queries).Draw(t, "order of queries"), r.facts})
		}
		merged := NewAccumulator("d", opt)
		for _, shard := range rapid.Permutation(shards).Draw(t, "order of shards") {
			before := text(shard.Result())
			if err := merged.Merge(shard); err != nil {
				t.Fatal(err)
			}
			if after := text(shard.Result()); after != before {
				t.Fatalf("merging changed what was merged:\n%s\n%s", before, after)
			}
		}
		if got := text(merged.Result(viewpoint)); got != want {
			t.Fatalf("merged:\n%s\nwhole:\n%s", got, want)
		}
	})
}

// good returns the record of a pair with nothing wrong.
func good() record {
	r := pairOf("v_a", 2, 3,
		row{nearest: 1, mutual: true, truth: 1, d1: 1, d2: 2, shared: true},
		row{nearest: 9, mutual: true, truth: none, d1: 1, d2: 2},
		row{nearest: none, truth: none, invalid: true})
	r.facts.Repeatability = Counts{Shared1: 1, SharedK: 2, Repeated1: 1, RepeatedK: 2, OneToOne: 1, ErrorSum1: 3, ErrorSumK: 2}
	r.facts.CorrectSharedK = 1
	r.facts.Corners = []CornerError{{"magsac", 1}, {"ransac", none}}
	return r
}

func TestAddRefusesRecordsThatContradictEachOther(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*record)
		want   string
	}{
		{"another descriptor", func(r *record) {
			r.pair.Descriptor = "e"
			for i := range r.queries {
				r.queries[i].Descriptor = "e"
			}
		}, `d: v_a/1_2: records of descriptor "e"`},
		{"no scene", func(r *record) { r.pair.Scene = "" }, "no scene"},
		{"image 1 with itself", func(r *record) { r.pair.K = 1 }, "paired with image 1"},
		{"more invalid rows than rows", func(r *record) { r.pair.InvalidK = 4 }, "4 of 3 rows of image 2"},
		{"fewer keypoints than none", func(r *record) { r.pair.Keypoints1 = -1 }, "image 1 has -1 keypoints"},
		{"a query too few", func(r *record) { r.queries = r.queries[:2] }, "2 query records, want one for each of 3"},
		{"a row twice", func(r *record) { r.queries[1].Row = 0 }, "row 0 repeated"},
		{"a row too many", func(r *record) { r.queries[1].Row = 3 }, "row 3 repeated or not below 3"},
		{"a query of another descriptor", func(r *record) { r.queries[0].Descriptor = "e" }, "row 0: record of e, v_a/1_2"},
		{"a query of another pair", func(r *record) { r.queries[1].K = 3 }, "row 1: record of d, v_a/1_3"},
		{"a truth out of range", func(r *record) { r.queries[0].Truth = 3 }, "truth is row 3 of 3"},
		{"a truth too far", func(r *record) { r.queries[0].TruthError = 10.5 }, "truth at 10.5 px"},
		{"a nearest out of range", func(r *record) { r.queries[0].Nearest = 3 }, "nearest is row 3 of 3"},
		{"a nearest at NaN", func(r *record) { r.queries[0].NearestError = math.NaN() }, "nearest at NaN px"},
		{"a second out of range", func(r *record) { r.queries[0].Second = 3 }, "second nearest is row 3 of 3"},
		{"a second that is the nearest", func(r *record) { r.queries[0].Second = 0 }, "second nearest is row 0 of 3, the nearest row 0"},
		{"a second that is nearer", func(r *record) { r.queries[0].SecondDistance = 0.5 }, "nearest at distance 1, second at 0.5"},
		{"a distance below 0", func(r *record) { r.queries[0].NearestDistance = -1 }, "nearest at distance -1"},
		{"a distance without end", func(r *record) { r.queries[0].SecondDistance = none }, "second at +Inf"},
		{"a distance of NaN", func(r *record) { r.queries[0].SecondDistance = math.NaN() }, "second at NaN"},
		{"mutual with nothing", func(r *record) { r.queries[2].Mutual = true }, "row 2: no nearest"},
		{"an invalid query with a nearest", func(r *record) { r.queries[0].Invalid = true }, "row 0: invalid, but row 0 is its nearest"},
		{"two matches of one keypoint", func(r *record) { r.queries[1].Nearest = 0 }, "row 1: row 0 of image 2 is the mutual nearest neighbour of two rows"},
		{"more in the shared region than there are", func(r *record) { r.facts.Repeatability.SharedK = 4 }, "4 of 3 of image 2 in the shared region"},
		{"another number in the shared region", func(r *record) { r.queries[1].Shared = true }, "2 queries are in the shared region, the facts say 1"},
		{"more repeated than shared", func(r *record) { r.facts.Repeatability.Repeated1 = 2 }, "2 of 1 keypoints are repeated"},
		{"distances beyond the tolerance", func(r *record) { r.facts.Repeatability.ErrorSumK = 6.1 }, "2 of 2 keypoints are repeated, their distances sum to 6.1 px"},
		{"more pairs than repeated", func(r *record) { r.facts.Repeatability.OneToOne = 2 }, "2 pairs one-to-one of 1 and 2"},
		{"more correct than matches", func(r *record) { r.facts.CorrectSharedK = 2 }, "2 correct matches in the shared region, but 1 in all"},
		{"a spread beyond 1", func(r *record) { r.facts.SpreadK = 1.5 }, "spread 1.5 of 3 keypoints"},
		{"estimators out of order", func(r *record) { r.facts.Corners[0].Estimator = "zzz" }, "corner errors of ransac after zzz"},
		{"an error of NaN", func(r *record) { r.facts.Corners[1].Px = math.NaN() }, `estimator "ransac" is NaN px`},
		{"an estimator without name", func(r *record) { r.facts.Corners[0].Estimator = "" }, `estimator "" is 1 px`},
	} {
		a := NewAccumulator("d", Options{TolerancePx: 3})
		r := good()
		c.change(&r)
		if err := a.Add(r.pair, r.queries, r.facts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want ... %s ...", c.name, err, c.want)
		}
		if n := len(a.Result().Sweeps); n != 1 {
			t.Errorf("%s: it was added nevertheless", c.name)
		}
	}
}

func TestAddRefusesWhatDoesNotStandBesideTheRest(t *testing.T) {
	a := NewAccumulator("d", Options{TolerancePx: 3})
	add(t, a, good())
	for _, c := range []struct {
		name   string
		change func(*record)
		want   string
	}{
		{"the same pair", func(*record) {}, "d: v_a/1_2: added twice"},
		{"another set", func(r *record) { *r = moved(*r, "v_a", 3); r.pair.SetDigest = "other" }, `image 1 is not that of pair 1_2: 3 keypoints of set "other"`},
		{"another spread of image 1", func(r *record) { *r = moved(*r, "v_a", 3); r.facts.Spread1 = 0.75 }, "image 1 is not that of pair 1_2"},
		{"other estimators", func(r *record) { *r = moved(*r, "i_b", 2); r.facts.Corners = r.facts.Corners[1:] }, `corner errors of estimators ["ransac"], v_a/1_2 has those of ["magsac" "ransac"]`},
	} {
		r := good()
		c.change(&r)
		before := text(a.Result())
		if err := a.Add(r.pair, r.queries, r.facts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want ... %s ...", c.name, err, c.want)
		}
		if text(a.Result()) != before {
			t.Errorf("%s: it was added nevertheless", c.name)
		}
	}
	add(t, a, moved(good(), "v_a", 3), moved(good(), "i_b", 2))
}

// moved returns the record as one of another pair.
func moved(r record, scene string, k int32) record {
	r.pair.Scene, r.pair.K = scene, k
	for i := range r.queries {
		r.queries[i].Scene, r.queries[i].K = scene, k
	}
	return r
}

func TestAddRefusesATolerancePastTheRecords(t *testing.T) {
	r := good()
	for want, px := range map[string]float64{"tolerance 10.5 px, want 0 to 10": 10.5, "tolerance -1 px": -1, "tolerance NaN px": math.NaN()} {
		if err := NewAccumulator("d", Options{px}).Add(r.pair, r.queries, r.facts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want ... %s ...", px, err, want)
		}
	}
	add(t, NewAccumulator("d", Options{eval.MaxTolerancePx}), r)
}

func TestMergeRefusesWhatDoesNotBelongTogetherAndAddsNothing(t *testing.T) {
	opt := Options{TolerancePx: 3}
	with := func(records ...record) *Accumulator {
		a := NewAccumulator("d", opt)
		add(t, a, records...)
		return a
	}
	bare := moved(good(), "v_c", 2)
	bare.facts.Corners = nil
	for name, b := range map[string]*Accumulator{
		"another descriptor": NewAccumulator("e", opt),
		"another tolerance":  NewAccumulator("d", Options{TolerancePx: 4}),
		"a pair in common":   with(moved(good(), "i_b", 2), good()),
		"other estimators":   with(bare),
	} {
		a := with(good())
		before := text(a.Result())
		b.Fail("v_a")
		if err := a.Merge(b); err == nil {
			t.Errorf("%s was merged", name)
		}
		if after := text(a.Result()); after != before {
			t.Errorf("%s: a refused merge changed the result from %s to %s", name, before, after)
		}
	}
}

func TestAFailedSceneCountsNowhere(t *testing.T) {
	without := NewAccumulator("d", Options{TolerancePx: 3})
	add(t, without, good())
	with := NewAccumulator("d", Options{TolerancePx: 3})
	add(t, with, moved(good(), "v_lost", 2))
	with.Fail("v_lost")
	add(t, with, good(), moved(good(), "v_lost", 3))
	if got, want := text(with.Result()), text(without.Result()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNothingAddedGivesNoMeans(t *testing.T) {
	r := NewAccumulator("d", Options{TolerancePx: 3}).Result(Subset{"x", func(string) bool { return true }})
	for _, m := range r.Metrics {
		if m.Name != "total_mutual_matches" || m.Value != 0 || m.Scope != "all" {
			t.Errorf("there is %+v", m)
		}
	}
	if len(r.Warnings) != 0 || len(r.Sweeps) != 1 {
		t.Errorf("warnings %q, %d sweeps", r.Warnings, len(r.Sweeps))
	}
}
