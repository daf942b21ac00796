package notes

import (
	"slices"
	"strings"
	"testing"

	"descbench/eval/fact"
)

func TestFactsAreToldOnce(t *testing.T) {
	ties := func(descriptor string, share float64) fact.Fact {
		return fact.New(fact.SamePosition).With("share", share).On(descriptor)
	}
	const tied = " of the queries, another keypoint at the position of the ground truth ranks first, and counts as wrong; to count both as right, rerun with --set evaluation.relevance=position"
	window := func(set string) fact.Fact { return fact.New(fact.DefaultSizeUnused).Of(set) }
	mirrored := func(scene string) fact.Fact { return fact.New(fact.Mirrored, scene).Naming("file", "H") }
	shown := map[int][]string{1: {"x"}, 2: {"sift", "surf"}, 3: {"sift", "surf", "orb"}, 9: {"a", "b", "c", "d", "e", "f", "g", "h", "i"}}
	chance := func(descriptor string, places ...string) fact.Fact {
		return fact.New(fact.PlacesAtChance, places...).On(descriptor).Naming("places", places...).With("n", float64(len(places)))
	}
	for what, test := range map[string]struct {
		given []fact.Fact
		shown []string
		want  []string
	}{
		"one each":                 {[]fact.Fact{fact.New(fact.NoSamples).On("sift"), fact.New(fact.OneClass)}, shown[3], []string{"sift: no samples; all metrics are undefined", "all pairs belong to one class: nothing to evaluate"}},
		"equal":                    {[]fact.Fact{ties("sift", 0.12), ties("surf", 0.12)}, shown[3], []string{"sift, surf: in 12.0 %" + tied}},
		"all":                      {[]fact.Fact{ties("sift", 0.12), ties("surf", 0.12)}, shown[2], []string{"in 12.0 %" + tied}},
		"unknown number":           {[]fact.Fact{ties("sift", 0.12), ties("surf", 0.12)}, shown[0], []string{"sift, surf: in 12.0 %" + tied}},
		"many":                     {[]fact.Fact{ties("a", 0.12), ties("b", 0.12), ties("c", 0.12), ties("d", 0.12)}, shown[9], []string{"a, b and 2 more: in 12.0 %" + tied}},
		"numbers":                  {[]fact.Fact{ties("sift", 0.12), ties("surf", 0.32), ties("orb", 0.1201)}, shown[9], []string{"sift, surf, orb: in 12.0 % (sift) to 32.0 % (surf)" + tied}},
		"of the run":               {[]fact.Fact{ties("", 0.12), ties("", 0.32)}, shown[3], []string{"in 12.0 %" + tied, "in 32.0 %" + tied}},
		"other parts, other facts": {[]fact.Fact{window("a"), window("b")}, shown[1], []string{"a: default_size is not used where the files have sizes", "b: default_size is not used where the files have sizes"}},
		"other secondary number": {[]fact.Fact{fact.New(fact.LowCoverage).Counting(19, 600).With("share", 0.03).On("sift"), fact.New(fact.LowCoverage).Counting(21, 700).With("share", 0.03).On("surf")}, shown[3],
			[]string{"sift, surf: only 3.0 % of the queries have a ground truth"}},
		"other places":                    {[]fact.Fact{chance("sift", "v_a/1_3"), fact.New(fact.NoSamples).On("orb"), chance("surf", "v_a/1_3", "v_b")}, shown[9], []string{"sift, surf: the mean AP is about that of a random order in 1 (sift) to 2 (surf) of the scenes and pairs; do rows and keypoints belong together there, at the size of the image files?", "orb: no samples; all metrics are undefined"}},
		"other places, as many":           {[]fact.Fact{chance("sift", "v_a/1_3"), chance("surf", "v_b")}, shown[3], []string{"sift, surf: the mean AP is about that of a random order in 1 of the scenes and pairs; do rows and keypoints belong together there, at the size of the image files?"}},
		"no question of what is built in": {[]fact.Fact{chance("sift", "v_b").Naming("built-in", "yes")}, shown[3], []string{"sift: the mean AP is about that of a random order in v_b"}},
		"too many of a kind": {[]fact.Fact{mirrored("a"), mirrored("b"), fact.New(fact.OneClass), mirrored("c"), mirrored("d"), mirrored("e"), mirrored("f")}, shown[1],
			[]string{"a: H mirrors image 1", "b: H mirrors image 1", "all pairs belong to one class: nothing to evaluate", "c: H mirrors image 1", "d: H mirrors image 1", "2 more of the kind mirrored"}},
	} {
		if got := Strings(Lines(test.given, test.shown...)); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", what, got, test.want)
		}
	}
}

// The numbers of the first of two descriptors are odd: one of them in a line about both would be
// taken for that of both.
func TestALineAboutSeveralDescriptorsHasNoNumberOfOneAlone(t *testing.T) {
	for _, of := range manual {
		kind := kinds[of.fact.Kind]
		if kind.main == "" {
			continue
		}
		a, b := of.fact.On("sift"), of.fact.On("surf")
		for name := range of.fact.Numbers {
			a, b = a.With(name, 777), b.With(name, 333)
		}
		a, b = a.With(kind.main, 1), b.With(kind.main, 2)
		got := Strings(Lines([]fact.Fact{a, b}))
		if len(got) != 1 || !strings.HasPrefix(got[0], "sift, surf: ") || !strings.Contains(got[0], " (sift) to 2") || strings.Contains(got[0], "777") || strings.Contains(got[0], "333") {
			t.Errorf("%s: got %q", a.Kind, got)
		}
	}
}

func TestGraverFactsHideWhatFollowsFromThem(t *testing.T) {
	tied, near := fact.New(fact.AllTied).On("sift"), fact.New(fact.SamePosition).With("share", 0.2)
	want := []string{"sift: every query has the same distance to all candidates; are all rows equal?"}
	if got := Strings(Lines([]fact.Fact{near.On("sift"), tied})); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Strings(Lines([]fact.Fact{near.On("surf"), tied})); len(got) != 2 || got[0] != want[0] || !strings.HasPrefix(got[1], "surf: in 20.0 %") {
		t.Errorf("of two descriptors: got %q", got)
	}
	scene := fact.New(fact.FailedScenes, "v_a").On("sift")
	if got := Lines([]fact.Fact{scene, fact.New(fact.Failure, "v_a").Naming("reason", "v_a: lost")}); len(got) != 1 || got[0].Kind != fact.Failure {
		t.Errorf("of a failure of all descriptors: got %v", got)
	}
}

func TestBesideNumbersStandWarningsAndFewNotes(t *testing.T) {
	ties, near := fact.New(fact.ManyTies).With("share", 0.2).On("surf"), fact.New(fact.SamePosition).With("share", 0.1).On("sift")
	few, windows := fact.New(fact.FewScenes).With("n", 5), fact.New(fact.OtherWindows).Naming("sizes", "7", "2").Naming("7", "sift").Naming("2", "surf")
	matches := fact.New(fact.MatchesPerPair).With("matches", 9)
	sizes, upright := fact.New(fact.SmallSizes).Of("dog"), fact.New(fact.Upright).Of("dog").Naming("descriptors", "sift")
	for what, test := range map[string]struct {
		given []fact.Fact
		want  []fact.Kind
		more  int
	}{
		"what changes no value, or follows": {[]fact.Fact{few, near, windows, ties}, []fact.Kind{fact.ManyTies, fact.OtherWindows}, 2},
		"the graver of two descriptors":     {[]fact.Fact{ties.With("share", 0.05), near}, []fact.Kind{fact.ManyTies, fact.SamePosition}, 0},
		"two notes":                         {[]fact.Fact{near, windows, matches}, []fact.Kind{fact.SamePosition, fact.OtherWindows}, 1},
		"every warning":                     {[]fact.Fact{few, upright, sizes, ties, fact.New(fact.NoSamples).On("a"), fact.New(fact.OneClass), fact.New(fact.Zeros).Counting(1, 2).Naming("first", "x")}, []fact.Kind{fact.Upright, fact.SmallSizes, fact.ManyTies, fact.NoSamples, fact.OneClass, fact.Zeros}, 1},
	} {
		brief, more := Brief(Lines(test.given))
		var got []fact.Kind
		for _, l := range brief {
			got = append(got, l.Kind)
		}
		if !slices.Equal(got, test.want) || more != test.more {
			t.Errorf("%s: %q and %d more, want %q and %d", what, got, more, test.want, test.more)
		}
	}
}

func TestDeviationsFromAPresetAreOneLine(t *testing.T) {
	key := fact.New(fact.Deviation).Naming("key", "keypoint_sets[dog].border").Naming("ours", "40 px").Naming("published", "0")
	got := Lines([]fact.Fact{fact.New(fact.PresetScenes).Counting(3, 108), fact.New(fact.OutsidePreset, "v_own"), key, fact.New(fact.PresetDiffers).Naming("note", "images are decoded by OpenCV")})
	const begin = "3 of its 108 scenes; scenes that it does not have: v_own; "
	if len(got) != 2 || got[0].Text != "deviations from the preset: "+begin+"keypoint_sets[dog].border: ours 40 px, published 0" || got[0].Paper != "deviations from the preset: "+begin+"margin at the edges of dog: ours 40 px, published 0" {
		t.Errorf("got %q", got)
	}
}

func TestPapersSayWhatTheirReadersMustKnow(t *testing.T) {
	sides := fact.New(fact.EmptySides).With("left", 0).With("right", 0.5).With("top", 0).With("bottom", 0.5)
	var got []string
	for _, l := range Lines([]fact.Fact{fact.New(fact.ChanceLevel).With("map", 0.018).With("chance", 0.029).On("sift"), sides.On("sift"), sides.On("surf"), fact.New(fact.SmallSizes).Of("dog")}) {
		got = append(got, l.Paper)
	}
	if want := []string{"the mean AP over queries is 1.8 %, about that of a random order (2.9 %)", "", "dog: the median size is below 2 px"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWhatWordsLackPrintsTheKind(t *testing.T) {
	for _, kind := range []fact.Kind{"of-another-version", fact.LowCoverage, fact.InvalidRows, fact.UnitPixels, fact.Unfilled, fact.CopiedScene, fact.MatcherNotApplied} {
		if got := Text(fact.New(kind)); got != string(kind) {
			t.Errorf("got %q, want %q", got, kind)
		}
	}
}
