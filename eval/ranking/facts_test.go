package ranking

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"

	"descbench/eval/fact"
	"descbench/keypoints"
)

// ofKind returns the facts of a kind.
func ofKind(facts []fact.Fact, kind fact.Kind) []fact.Fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f fact.Fact) bool { return f.Kind != kind })
}

// same reports whether facts are equal, but for the rounding of numbers.
func same(got, want []fact.Fact) bool {
	return slices.EqualFunc(got, want, func(a, b fact.Fact) bool {
		close := maps.EqualFunc(a.Numbers, b.Numbers, func(x, y float64) bool { return math.Abs(x-y) < 1e-6 })
		a.Numbers, b.Numbers = nil, nil
		return close && reflect.DeepEqual(a, b)
	})
}

func TestFactsAreThoseOfTheRecords(t *testing.T) {
	// Of handRecords: 1 of 8 truths is concerned by invalid rows, 2 tie for first place.
	want := []fact.Fact{
		fact.New(fact.FailedScenes, "i_six"),
		fact.New(fact.FewQueries, "c_four").Counting(1, 1),
		fact.New(fact.FewQueries, "i_two").Counting(2, 2),
		fact.New(fact.FewQueries, "v_one").Counting(5, 8),
		fact.New(fact.FewQueries, "v_three").Counting(0, 1),
		fact.New(fact.NoQueries, "v_five"),
		fact.New(fact.FewScenes).With("n", 3),
		fact.New(fact.InvalidRows).Counting(2, 30),
		fact.New(fact.InvalidQueries).Counting(1, 8).With("share", 1./8).With("with", (67./30+3./2+1)/8).With("without", (67./30+3./2+1-1./4)/7),
		fact.New(fact.ManyTies).With("share", 2./8),
	}
	if got := handResult(t).Facts; !same(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}

func TestImagesWithoutKeypointsAndLowCoverageAreWarnedAbout(t *testing.T) {
	lost := make([]row, 200)
	for i := range lost {
		lost[i] = row{truth: none, nearest: none}
	}
	found := make([]row, 200)
	for i := range found {
		found[i] = row{truth: none, nearest: 50}
		if i < 19 {
			found[i] = row{truth: 1, nearest: 1}
		}
	}
	a := newAccumulator(Options{TolerancePx: 3})
	add(t, a, pairOf("v_a", 2, 30, 0, found...), pairOf("v_a", 4, 0, 0, lost...), pairOf("v_a", 3, 0, 0, lost...))
	want := []fact.Fact{
		fact.New(fact.FewKeypoints, "v_a").Naming("images", "3", "4"),
		fact.New(fact.FewScenes).With("n", 1),
		fact.New(fact.LowCoverage).Counting(19, 600).With("share", 19./600),
	}
	if got := a.Result().Facts; !same(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}

func TestQueriesWithoutDepthAreCountedApart(t *testing.T) {
	a := newAccumulator(Options{TolerancePx: 3})
	p := pairOf("v_a", 2, 30, 0, row{truth: 1, nearest: 1}, row{truth: none, nearest: 9}, row{truth: none, nearest: none}, row{truth: none, nearest: none})
	p.queries[2].State, p.queries[3].State = keypoints.Unknown, keypoints.Unknown
	add(t, a, p)
	want := []fact.Fact{fact.New(fact.FewQueries, "v_a").Counting(1, 2).With("unknown", 2)}
	if got := ofKind(a.Result().Facts, fact.FewQueries); !same(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// manyScenes returns an accumulator with so many scenes of either category.
func manyScenes(t *testing.T, viewpoint, illumination int) *Accumulator {
	rows := make([]row, fewQueries)
	for i := range rows {
		rows[i] = row{truth: 1, nearest: 1}
	}
	a := newAccumulator(Options{TolerancePx: 3})
	for i := range viewpoint {
		add(t, a, pairOf("v_"+string(rune('a'+i)), 2, 30, 0, rows...))
	}
	for i := range illumination {
		add(t, a, pairOf("i_"+string(rune('a'+i)), 2, 30, 0, rows...))
	}
	return a
}

func TestAResultWithoutFaultsHasNoFacts(t *testing.T) {
	for _, scenes := range [][2]int{{6, 0}, {0, 6}, {7, 8}} {
		if got := manyScenes(t, scenes[0], scenes[1]).Result().Facts; len(got) != 0 {
			t.Errorf("%v scenes: got %v", scenes, got)
		}
	}
}

func TestCategoriesThatAreTooSmallForATestAreWarnedAbout(t *testing.T) {
	few := fact.New(fact.FewScenes)
	for scenes, want := range map[[2]int][]fact.Fact{
		{7, 4}: {few.With("illumination", 4)},
		{5, 6}: {few.With("viewpoint", 5)},
		{3, 3}: {few.With("viewpoint", 3).With("illumination", 3)},
		{2, 3}: {few.With("n", 5)},
	} {
		if got := manyScenes(t, scenes[0], scenes[1]).Result().Facts; !same(got, want) {
			t.Errorf("%v scenes: got %v, want %v", scenes, got, want)
		}
	}
}
