package ranking

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"descbench/eval/must"

	"descbench/eval/fact"
	"descbench/eval/record"
	"descbench/eval/scope"
)

// Three queries of ranks 1, 2 and 4, projected to 10, beyond the limit of 1000 and to it.
func TestQueriesProjectedBeyondTheLimitAreExcluded(t *testing.T) {
	p := pairOf("v_a", 2, 9, 0, row{truth: 1, nearest: 1}, row{truth: 1, less: 1, nearest: 1}, row{truth: 1, less: 3, nearest: 1})
	p.queries[0].ProjectedX, p.queries[1].ProjectedY, p.queries[2].ProjectedX = 10, -1000.5, -1000
	for limit, want := range map[float64]struct{ sum, n float64 }{0: {1.75, 3}, 1000: {1.25, 2}, 0.5: {0, 0}} {
		a := newAccumulator(Options{TolerancePx: 3, ExcludeBeyondPx: limit})
		add(t, a, p)
		r := a.Result()
		processed, _ := value(r, "all", "total_queries_processed")
		got, ok := value(r, "all", "true_map_micro")
		if processed != want.n || ok != (want.n > 0) || ok && got != want.sum/want.n {
			t.Errorf("limit %v px: mAP %v over %v queries, want %v over %v", limit, got, processed, want.sum/want.n, want.n)
		}
		records, err := record.NewRecords(p.pair, p.queries)
		must.Do(t, err)
		tally := newPairTally(records, a.opt).tally
		if all := (scope.Fraction{Sum: want.sum, N: int(want.n)}); tally.withInvalid != all || tally.withoutInvalid != all {
			t.Errorf("limit %v px: %v with invalid rows, %v without, want %v", limit, tally.withInvalid, tally.withoutInvalid, all)
		}
	}
}

// In the gallery, the ranks are 1, 3 and, with one equal, 2.5 in v_a, 2 in v_b and 4 in v_c. A pair
// is left out if it has queries, but none of them in its gallery.
func TestTheFixedGalleryWorkedByHand(t *testing.T) {
	a3 := pairOf("v_a", 2, 9, 0, row{truth: 1, nearest: 1}, row{truth: 1, nearest: 1}, row{truth: 1, nearest: 1}, row{truth: 1, nearest: 1})
	for i, g := range [][2]int32{{0, 0}, {2, 0}, {1, 1}, {-1, 0}} {
		a3.queries[i].GalleryLess, a3.queries[i].GalleryEqual = g[0], g[1]
	}
	out := pairOf("v_a", 3, 2, 0, row{truth: 1, nearest: 1})
	out.queries[0].GalleryLess = -1
	empty := pairOf("v_a", 4, 2, 0, row{truth: none, nearest: 1})
	empty.queries[0].GalleryLess = -1
	b := pairOf("v_b", 2, 9, 0, row{truth: 1, nearest: 1})
	b.queries[0].GalleryLess = 1
	a3.pair.Keypoints1 = 4
	other := out
	other.pair.K, other.queries = 5, slices.Clone(out.queries)
	other.queries[0].K = 5
	for _, p := range []*pairRecord{&out, &other, &empty} { // image 1 is that of the first pair
		for len(p.queries) < 4 {
			q := p.queries[0]
			q.Row, q.Truth, q.TruthError = int32(len(p.queries)), -1, none
			p.queries = append(p.queries, q)
		}
		p.pair.Keypoints1 = 4
	}
	a := newAccumulator(Options{TolerancePx: 3, FixedGallery: true})
	c := pairOf("v_c", 2, 9, 0, row{truth: 1, nearest: 1})
	c.queries[0].GalleryLess = 3
	add(t, a, a3, out, other, empty, b, c)
	r := a.Result()
	ofA := 1 + 1./3 + 1/2.5
	for name, want := range map[string]float64{
		"fixed_gallery_map":                (ofA + 1./2 + 1./4) / 5,
		"fixed_gallery_map_macro_by_scene": (ofA/3 + 1./2 + 1./4) / 3,
		"fixed_gallery_queries":            5,
		"fixed_gallery_pairs_left_out":     2,
	} {
		if got, ok := value(r, "all", name); !ok || got-want > 1e-15 || want-got > 1e-15 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if got, want := ofKind(r.Facts, fact.SmallGallery), []fact.Fact{fact.New(fact.SmallGallery).With("pairs", 2)}; !same(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A random order of 200 candidates has the mean AP H(200)/200 = 2.94 %; ranks 10, 20, ..., 200
// have H(20)/200 = 1.80 %.
func TestRanksLikeThoseOfARandomOrderAreWarnedAbout(t *testing.T) {
	for _, c := range []struct {
		candidates int32
		step       int32 // between the ranks of 20 queries
		want       bool
	}{{200, 10, true}, {200, 2, false}, {99, 4, false}} { // H(20)/40 = 8.99 %; a small gallery
		var rows []row
		for i := range int32(20) {
			rows = append(rows, row{truth: 1, nearest: 1, less: c.step*(i+1) - 1})
		}
		a := newAccumulator(Options{TolerancePx: 3})
		add(t, a, pairOf("v_a", 2, c.candidates, 0, rows...))
		got := ofKind(a.Result().Facts, fact.ChanceLevel)
		if len(got) > 0 != c.want || c.want && (math.Abs(got[0].Numbers["map"]-0.0180) > 5e-5 || math.Abs(got[0].Numbers["chance"]-0.0294) > 5e-5) {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

func TestEqualRowsAreAllThatIsSaidOfThem(t *testing.T) {
	a := newAccumulator(Options{TolerancePx: 3})
	add(t, a, pairOf("v_a", 2, 200, 0, slices.Repeat([]row{{truth: 1, nearest: 1, equal: 199}}, 10)...))
	if got, want := a.Result().Facts, []fact.Fact{fact.New(fact.FewScenes).With("n", 1), fact.New(fact.AllTied)}; !same(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestScenesAndPairsAtTheLevelOfChanceAreNamed(t *testing.T) {
	var good, bad []row
	for i := range int32(20) {
		good, bad = append(good, row{truth: 1, nearest: 1}), append(bad, row{truth: 1, nearest: 1, less: 10*i + 9})
	}
	a := newAccumulator(Options{TolerancePx: 3})
	add(t, a, pairOf("v_a", 2, 200, 0, good...), pairOf("v_a", 3, 200, 0, bad...), pairOf("v_b", 2, 200, 0, bad...), pairOf("v_b", 3, 200, 0, bad...))
	want := fact.New(fact.PlacesAtChance, "v_a", "v_b").Naming("places", "v_a/1_3", "v_b").With("n", 2)
	if got := a.Result().Facts; !reflect.DeepEqual(got[len(got)-1], want) {
		t.Errorf("got %v, want %v last", got, want)
	}
}

// Positions of detectors in images of another size, 60 of them, in images of 640×480 px.
func TestPositionsInOnePartOfAllImagesAreWarnedAbout(t *testing.T) {
	for _, c := range []struct {
		left, top, right, bottom float32
		want                     []fact.Fact
	}{
		{20, 20, 299.5, 239.5, []fact.Fact{fact.New(fact.EmptySides).With("left", 20.5/640).With("right", 300./640).With("top", 20.5/480).With("bottom", 240./480)}}, // half, border 40
		{40, 40, 600, 440, nil},
		{200, 150, 440, 330, nil}, // a wide border
		{20, 20, 300, 440, nil},   // an object
		{20, 20, 600, 240, nil},
	} {
		r := pairOf("v_a", 2, 30, 0, slices.Repeat([]row{{truth: 1, nearest: 1}}, 60)...)
		for i := range r.queries {
			r.queries[i].X, r.queries[i].Y = c.left+(c.right-c.left)*float32(i%10)/9, c.top+(c.bottom-c.top)*float32(i/10)/5
		}
		a := newAccumulator(Options{TolerancePx: 3})
		add(t, a, r)
		if got := ofKind(a.Result().Facts, fact.EmptySides); !same(got, c.want) {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

func TestPairsWithFarFewerGroundTruthsThanOthersAreNamed(t *testing.T) {
	a := newAccumulator(Options{TolerancePx: 3})
	for k, truths := range map[int32]int{2: 140, 3: 8, 4: 12, 5: 18} { // of 200: 70, 4, 6 and 9 %
		p := pairOf("v_a", k, 200, 0, slices.Concat(slices.Repeat([]row{{truth: 1, nearest: 1}}, truths), slices.Repeat([]row{{truth: none, nearest: 9}}, 200-truths))...)
		p.pair.Shared1, p.pair.SharedK = 200, 200
		add(t, a, p)
	}
	want := fact.New(fact.UncoveredPairs, "v_a").With("px", 3).Naming("pairs", "v_a/1_3")
	if got := a.Result().Facts; !reflect.DeepEqual(got[len(got)-1], want) {
		t.Errorf("got %v, want %v last", got, want)
	}
}

// Ties behind another candidate hardly move the mean AP. That the other candidate is usually at the
// position of the ground truth is said only where the nearest neighbours show it.
func TestFactsAboutTiesNameDistancesAndPosition(t *testing.T) {
	tied := fact.New(fact.ManyTies).With("share", 1)
	here, there := row{truth: 1, nearest: 1, equal: 1}, row{truth: 1, nearest: 2, equal: 1}
	for _, c := range []struct {
		rowBytes  int32
		relevance Relevance
		rows      []row
		want      fact.Fact
	}{
		{256, NearestRelevant, []row{here}, tied.Naming("position", "same")},
		{256, NearestRelevant, []row{here, here, here, here, there}, tied.Naming("position", "same")},
		{256, NearestRelevant, []row{here, there}, tied},
		{256, PositionRelevant, []row{here}, tied},
		{32, NearestRelevant, []row{there}, tied.Naming("distances", "hamming")},
		{32, NearestRelevant, []row{{truth: 1, nearest: 1, less: 1, equal: 1}}, fact.New(fact.FewScenes).With("n", 1)},
	} {
		a := newAccumulator(Options{TolerancePx: 3, Relevance: c.relevance})
		p := pairOf("v_a", 2, 9, 0, slices.Repeat(c.rows, 10)...)
		p.pair.Dimension, p.pair.RowBytes = 256, c.rowBytes
		add(t, a, p)
		if got := ofKind(a.Result().Facts, c.want.Kind); len(got) != 1 || !reflect.DeepEqual(got[0], c.want) {
			t.Errorf("got %v, want %v", a.Result().Facts, c.want)
		}
	}
}

// A program whose rounding differs by 1e-7 to 1e-3 of a distance decides such a query by chance.
func TestNearlyEqualDistancesToTheTwoNearestAreTies(t *testing.T) {
	for _, c := range []struct {
		nearest, second int32 // the ground truth is 0
		less            int32
		distance        float64
		relevance       Relevance
		want            int
	}{
		{0, 1, 0, 2.001, NearestRelevant, 1}, {1, 0, 1, 2.001, NearestRelevant, 1}, {1, 2, 2, 2.001, NearestRelevant, 0}, {0, 1, 0, 2.004, NearestRelevant, 0},
		{0, 1, 0, 2.001, PositionRelevant, 0}, {1, 0, 1, 2.001, PositionRelevant, 1}, // 1 may be at the position of 0, unless it is counted
	} {
		p := pairOf("v_a", 2, 99, 0, row{truth: 1, nearest: 1})
		q := &p.queries[0]
		q.Nearest, q.Second, q.NearestDistance, q.SecondDistance = c.nearest, c.second, 2, c.distance
		q.Less = c.less
		if got := newPairTally(record.Records{Pair: p.pair, Queries: p.queries}, Options{TolerancePx: 3, Relevance: c.relevance}).tally.tied; got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
}

// One query in ten with a ground truth is enough. Ties in one query of ten are few, as are
// other keypoints at the position of the ground truth that rank first in one of twenty.
func TestSharesAtTheLimitsAreNotWarnedAbout(t *testing.T) {
	for _, c := range []struct {
		found, tied, same, other int
		want                     []fact.Kind
	}{
		{20, 2, 1, 180, nil},
		{20, 2, 0, 181, []fact.Kind{fact.LowCoverage}},
		{40, 4, 2, 350, nil},
		{40, 5, 0, 350, []fact.Kind{fact.ManyTies}},
		{98, 10, 0, 0, []fact.Kind{fact.ManyTies}},     // 10.2 %
		{98, 0, 0, 890, []fact.Kind{fact.LowCoverage}}, // 9.92 %
		{20, 0, 2, 0, []fact.Kind{fact.SamePosition}},
	} {
		var rows []row
		for i := range c.found {
			r := row{truth: 1, nearest: 1}
			if i < c.tied {
				r.equal = 1
			} else if i >= c.found-c.same {
				r.less = 1
			}
			rows = append(rows, r)
		}
		for range c.other {
			rows = append(rows, row{truth: none, nearest: 50})
		}
		a := newAccumulator(Options{TolerancePx: 3})
		add(t, a, pairOf("v_a", 2, 9, 0, rows...))
		var got []fact.Kind
		for _, f := range a.Result().Facts {
			if f.Kind != fact.FewScenes {
				got = append(got, f.Kind)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}
