package ranking

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/eval/stats"
)

// Thresholds of the warnings.
const (
	fewQueries   = 10   // minimum number of processed queries in a scene
	lowCoverage  = 0.10 // minimum share of processed queries
	manyTies     = 0.10 // maximum share of tied queries among the processed ones
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

// tiesExplained says what ties for first place do to the metrics.
func tiesExplained(rule TieRule) string {
	rank, hit := Rank(0, 1, rule), "no"
	if rank == 1 {
		hit = "a"
	}
	return fmt.Sprintf("of two: rank %g, %s hit@1", rank, hit)
}

// tiesFrom says where many ties come from, and what to do about them.
func tiesFrom(t tally, opt Options) string {
	text := ""
	if t.hamming {
		text = "; Hamming distances are integers, which are often equal"
	}
	if !opt.SamePlace {
		text += "; usually keypoints at one position: also compare with --set evaluation.relevance=position"
	}
	return text
}

// warnings returns what a reader of the metrics must know about the records,
// in a fixed order.
func warnings(scenes []sceneTally, failed map[string]string, opt Options) []scope.Warning {
	var out scope.Warnings
	warn := out.Add
	if names := slices.Sorted(maps.Keys(failed)); len(names) > 0 {
		out.AddOf(names, scope.FailedScenes, "failed scenes (excluded from all metrics): %s", strings.Join(names, ", "))
	}
	var undetected []string
	for _, s := range scenes {
		t, of := sum(s), []string{s.Name}
		empty := emptyImages(s)
		if t.queries == 0 || len(empty) == len(s.Parts) {
			undetected = append(undetected, s.Name)
			continue
		}
		if len(empty) > 0 {
			out.AddOf(of, "few-keypoints", "%s: no keypoints in image %s", s.Name, strings.Join(empty, ", "))
		}
		if t.processed < fewQueries {
			out.AddOf(of, "few-queries", "%s: %d of %d queries have a ground truth", s.Name, t.processed, t.queries)
		}
	}
	if undetected != nil {
		out.AddOf(undetected, "no-queries", "no keypoints in image 1, or in any other image, of %s: excluded from map; 0 in coverage, map_including_zeros, repeatability, matching_score, mma and homographies", spelling.Few(undetected, 6))
	}
	if text := fewScenes(scenes); text != "" {
		warn("few-scenes", "%s (descbench compare says how many it takes)", text)
	}
	t := total(scenes)
	if t.invalid > 0 {
		warn("invalid-rows", "%d of %d descriptors are invalid (not finite as float32, zero norm, or not computed)", t.invalid, t.keypoints)
	}
	if manyConcerned(t) {
		warn("invalid-queries", "%s of the queries with a ground truth (%d of %d) have an invalid descriptor, their own or that of the ground truth: mAP micro is %s with them, ranked last, and %s without them (evaluation.exclude_invalid)",
			percent(mean(float64(t.concerned()), t.withInvalid.N)), t.concerned(), t.withInvalid.N, percent(t.withInvalid), percent(t.withoutInvalid))
	}
	if c := t.coverage().Value(); c < lowCoverage {
		warn("low-coverage", "only %.1f %% of the queries have a ground truth (%d of %d)", 100*c, t.processed, t.queries)
	} else if of, pairs := lackingTruths(scenes); len(pairs) > 0 {
		out.AddOf(of, "low-coverage", "within %g px, hardly any query has a ground truth in %s, unlike in other pairs of the scene: do images and keypoints belong together there, or is the tolerance too small?", opt.TolerancePx, spelling.Few(pairs, 6))
	}
	if t.ties > 0 && t.ties == t.candidates-t.processed {
		warn("many-ties", "every query has the same distance to all candidates: are all rows equal?")
		return out
	}
	if ties := mean(float64(t.tied), t.processed).Value(); ties > manyTies {
		warn("many-ties", "%.1f %% of the ground truths have ties to %g %% (%s)%s", 100*ties, 100*nearTie, tiesExplained(opt.Ties), tiesFrom(t, opt))
	}
	if same := mean(float64(t.samePlace), t.processed).Value(); same > manySame && !opt.SamePlace {
		warn("same-position", "in %.1f %% of the queries, another keypoint at the position of the ground truth ranks first, and counts as wrong; also compare with --set evaluation.relevance=position", 100*same)
	}
	if t.atChance() {
		warn("chance-level", "mAP micro is %s, that of a random order %s: do rows and keypoints belong together, at the size of the image files?", percent(t.trueMAP()), percent(mean(t.chance, t.processed)))
	} else if of, places := placesAtChance(scenes); len(places) > 0 {
		out.AddOf(of, "chance-level", "mAP is at the level of chance in %s; if other descriptors on these keypoints are not, check its rows; if they are, positions: were they measured in images of this size?", spelling.Few(places, 6))
	}
	if left, top, right, bottom := 1-t.reach[0], 1-t.reach[1], t.reach[2], t.reach[3]; t.queries >= manyQueries*t.pairs && 1-right > max(emptySide, 2*left) && 1-bottom > max(emptySide, 2*top) {
		warn("empty-sides", "all queries are at %.0f–%.0f %% of the width and %.0f–%.0f %% of the height: were positions measured in images of another size?", 100*left, 100*right, 100*top, 100*bottom)
	}
	if opt.FixedGallery && t.galleryPairs > 0 {
		warn("small-gallery", "%d image pairs have fewer keypoints than the fixed gallery needs and are excluded from fixed_gallery_map", t.galleryPairs)
	}
	return out
}

// atChance reports whether the ranks are like those of a random order.
func (t tally) atChance() bool {
	return t.processed >= fewQueries && t.gallery().Value() >= largeGallery && t.trueMAP().Value() < aboveChance*mean(t.chance, t.processed).Value()
}

// placesAtChance names the scenes, and the pairs of others, that are at the level of chance,
// with their numbers of queries, and their scenes.
func placesAtChance(scenes []sceneTally) (of, places []string) {
	name := func(scene, place string, t tally) {
		of, places = append(of, scene), append(places, fmt.Sprintf("%s (%d queries)", place, t.processed))
	}
	for _, s := range scenes {
		if t := sum(s); t.atChance() {
			name(s.Name, s.Name, t)
			continue
		}
		for _, p := range s.Parts {
			if p.Tally.tally.atChance() {
				name(s.Name, scope.PairLabel(s.Name, int(p.Tally.pair.K)), p.Tally.tally)
			}
		}
	}
	return slices.Compact(of), places
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

// manyConcerned reports whether invalid rows decide so much that the metrics need
// to be reported both with and without the queries that they concern.
func manyConcerned(t tally) bool {
	return mean(float64(t.concerned()), t.withInvalid.N).Value() > manyInvalid
}

func percent(f scope.Fraction) string {
	if f.N == 0 {
		return "undefined"
	}
	return fmt.Sprintf("%.1f %%", 100*f.Value())
}

// fewScenes says that the scenes with a mean AP are too few for a significance test, or
// those of a category; "" if none are.
func fewScenes(scenes []sceneTally) string {
	defined := make(map[string]int)
	n := 0
	for _, s := range scenes {
		if sum(s).processed > 0 {
			defined[scope.Category(s.Name)]++
			n++
		}
	}
	if n == 0 {
		return ""
	}
	if n < stats.ScenesNeeded(1) {
		return fmt.Sprintf("only %s: %s; too few for a significant difference", spelling.Count(n, "scene"), stats.IntervalsOver(n))
	}
	var few []string
	for _, c := range []string{scope.Viewpoint, scope.Illumination} {
		if d := defined[c]; d > 0 && d < stats.ScenesNeeded(1) {
			few = append(few, spelling.Count(d, c+" scene")+" ("+stats.IntervalsOver(d)+")")
		}
	}
	if few == nil {
		return ""
	}
	return "only " + strings.Join(few, " and ") + ": too few for a significant difference within the category"
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
