package ranking

import (
	"maps"
	"slices"
	"strconv"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// Thresholds of the warnings.
const (
	fewQueries   = 10   // minimum number of processed queries in a scene
	lowCoverage  = 0.10 // minimum share of processed queries
	manyTies     = 0.10 // maximum share of queries tied for first place among the processed ones
	nearTie      = 1e-3 // relative difference of distances that the rounding of a program can reverse
	manySame     = 0.05 // maximum share of processed queries whose nearest neighbour is at the position of the ground truth, but not it
	largeGallery = 100  // minimum mean number of candidates for the warning about chance
	manyShared   = 100  // minimum number of keypoints in the shared region for the warning about a pair's coverage
	pairCoverage = 0.05 // minimum share of them with a ground truth, unless
	similar      = 10   // no pair of the scene has this many times the coverage; six times is natural
	aboveChance  = 2    // minimum mAP as a multiple of that of a random order
	manyQueries  = 50   // minimum mean number of queries for the warning about empty sides
	emptySide    = 0.2  // share of width and height without queries on the right and below: twice that on the left and above
	manyInvalid  = 0.05 // maximum share of queries with a ground truth that are concerned by invalid rows
)

// facts returns what a reader of the metrics must know about the records, in a fixed order.
func facts(scenes []sceneTally, failed map[string]string, opt Options) (out []fact.Fact) {
	add := func(f fact.Fact) { out = append(out, f) }
	if names := slices.Sorted(maps.Keys(failed)); len(names) > 0 {
		add(fact.New(fact.FailedScenes, names...))
	}
	var undetected []string
	for _, s := range scenes {
		t, empty := sum(s), emptyImages(s)
		if t.queries+t.unknown == 0 || len(empty) == len(s.Parts) {
			undetected = append(undetected, s.Name)
			continue
		}
		if len(empty) > 0 {
			add(fact.New(fact.FewKeypoints, s.Name).Naming("images", empty...))
		}
		if t.processed < fewQueries {
			f := fact.New(fact.FewQueries, s.Name).Counting(t.processed, t.queries)
			if t.unknown > 0 {
				f = f.With("unknown", float64(t.unknown))
			}
			add(f)
		}
	}
	if undetected != nil {
		add(fact.New(fact.NoQueries, undetected...))
	}
	out = append(out, fewScenes(scenes)...)
	t := total(scenes)
	if t.invalid > 0 {
		add(fact.New(fact.InvalidRows).Counting(t.invalid, t.keypoints))
	}
	if manyConcerned(t) {
		add(fact.New(fact.InvalidQueries).Counting(t.concerned(), t.withInvalid.N).With("share", mean(float64(t.concerned()), t.withInvalid.N).Value()).With("with", t.withInvalid.Value()).With("without", t.withoutInvalid.Value()))
	}
	if c := t.coverage().Value(); c < lowCoverage {
		add(fact.New(fact.LowCoverage).Counting(t.processed, t.queries).With("share", c))
	} else if of, pairs := lackingTruths(scenes); len(pairs) > 0 {
		add(fact.New(fact.UncoveredPairs, of...).With("px", opt.TolerancePx).Naming("pairs", pairs...))
	}
	if t.ties > 0 && t.ties == t.candidates-t.processed {
		add(fact.New(fact.AllTied))
		return out
	}
	if ties := mean(float64(t.tied), t.processed).Value(); ties > manyTies {
		f := fact.New(fact.ManyTies).With("share", ties)
		if t.hamming {
			f = f.Naming("distances", "hamming")
		}
		// Of two candidates at different positions, either has the lower row. Of those at one position, the
		// ground truth has.
		if opt.Relevance != PositionRelevant && 4*t.tiedApart < t.tied {
			f = f.Naming("position", "same")
		}
		add(f)
	}
	if same := mean(float64(t.samePlace), t.processed).Value(); same > manySame && opt.Relevance != PositionRelevant {
		add(fact.New(fact.SamePosition).With("share", same))
	}
	if t.atChance() {
		add(fact.New(fact.ChanceLevel).With("map", t.trueMAP().Value()).With("chance", mean(t.chance, t.processed).Value()))
	} else if f := placesAtChance(scenes); f.Scenes != nil {
		add(f)
	}
	if left, top, right, bottom := 1-t.reach[0], 1-t.reach[1], t.reach[2], t.reach[3]; t.queries >= manyQueries*t.pairs && 1-right > max(emptySide, 2*left) && 1-bottom > max(emptySide, 2*top) {
		add(fact.New(fact.EmptySides).With("left", left).With("right", right).With("top", top).With("bottom", bottom))
	}
	if opt.FixedGallery && t.galleryPairs > 0 {
		add(fact.New(fact.SmallGallery).With("pairs", float64(t.galleryPairs)))
	}
	return out
}

// atChance reports whether the ranks are like those of a random order.
func (t tally) atChance() bool {
	return t.processed >= fewQueries && t.gallery().Value() >= largeGallery && t.trueMAP().Value() < aboveChance*mean(t.chance, t.processed).Value()
}

// placesAtChance returns a fact about the scenes, and the pairs of others, that are at the level of
// chance, without scenes if there are none.
func placesAtChance(scenes []sceneTally) fact.Fact {
	f := fact.New(fact.PlacesAtChance)
	var places []string
	name := func(scene, place string) { places, f.Scenes = append(places, place), append(f.Scenes, scene) }
	for _, s := range scenes {
		if t := sum(s); t.atChance() {
			name(s.Name, s.Name)
			continue
		}
		for _, p := range s.Parts {
			if p.Tally.tally.atChance() {
				name(s.Name, scope.PairLabel(s.Name, int(p.Tally.pair.K)))
			}
		}
	}
	f.Scenes = slices.Compact(f.Scenes)
	return f.Naming("places", places...).With("n", float64(len(places)))
}

// lackingTruths names the pairs with far fewer ground truths than another pair of their
// scene, and their scenes.
func lackingTruths(scenes []sceneTally) (of, pairs []string) {
	for _, s := range scenes {
		best := 0.0
		for _, p := range s.Parts {
			best = max(best, p.Tally.tally.coverage().Value())
		}
		for _, p := range s.Parts {
			shared := min(p.Tally.pair.Shared1, p.Tally.pair.SharedK)
			if shared >= manyShared && float64(p.Tally.tally.processed) < pairCoverage*float64(shared) && p.Tally.tally.coverage().Value()*similar < best {
				of, pairs = append(of, s.Name), append(pairs, scope.PairLabel(s.Name, int(p.Tally.pair.K)))
			}
		}
	}
	return slices.Compact(of), pairs
}

// fewScenes says that the scenes with a mean AP are too few for a significance test, or
// those of a category.
func fewScenes(scenes []sceneTally) (out []fact.Fact) {
	defined := make(map[string]int)
	n := 0
	for _, s := range scenes {
		if sum(s).processed > 0 {
			defined[scope.Category(s.Name)]++
			n++
		}
	}
	if n > 0 && n < stats.ScenesNeeded(1) {
		return []fact.Fact{fact.New(fact.FewScenes).With("n", float64(n))}
	}
	f := fact.New(fact.FewScenes)
	for _, c := range []string{scope.Viewpoint, scope.Illumination} {
		if d := defined[c]; d > 0 && d < stats.ScenesNeeded(1) {
			f = f.With(c, float64(d))
		}
	}
	if f.Numbers == nil {
		return nil
	}
	return []fact.Fact{f}
}

// manyConcerned reports whether invalid rows decide so much that the metrics need
// to be reported both with and without the queries that they concern.
func manyConcerned(t tally) bool {
	return mean(float64(t.concerned()), t.withInvalid.N).Value() > manyInvalid
}

// emptyImages returns the numbers of the images without keypoints.
func emptyImages(s sceneTally) []string {
	var out []string
	for _, p := range s.Parts {
		if p.Tally.pair.KeypointsK == 0 {
			out = append(out, strconv.Itoa(p.K))
		}
	}
	return out
}
