package eval

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/scope"
	"descbench/eval/stats"
)

// Limits beyond which a figure gets a warning.
const (
	fewQueries  = 10   // processed, in a scene
	lowCoverage = 0.10 // of all queries
	manyTies    = 0.10 // of the processed queries
)

// warnings returns what a reader of the figures must know about the records,
// in fixed order.
func warnings(scenes []sceneTally, failed map[string]string, opt Options) []Warning {
	var out scope.Warnings
	warn := out.Add
	if len(failed) > 0 {
		warn("failed-scenes", "scenes that failed and are left out of every figure: %s", strings.Join(slices.Sorted(maps.Keys(failed)), ", "))
	}
	for _, s := range scenes {
		t := sum(s)
		if t.queries == 0 {
			warn("no-queries", "%s: image 1 has no keypoints; left out of every mean", s.Name)
			continue
		}
		if empty := emptyImages(s); len(empty) > 0 {
			warn("few-keypoints", "%s: no keypoints in image %s", s.Name, strings.Join(empty, ", "))
		}
		if t.processed < fewQueries {
			warn("few-queries", "%s: %d of %d queries have a ground truth", s.Name, t.processed, t.queries)
		}
	}
	if kind, n := fewScenes(scenes); n > 0 {
		warn("few-scenes", "%sfigures over few scenes (%d): their intervals are too narrow, and no difference over fewer than %d can be significant", kind, n, stats.EnoughScenes)
	}
	t := total(scenes)
	if t.invalid > 0 {
		warn("invalid-rows", "%d of %d descriptors describe nothing", t.invalid, t.keypoints)
	}
	if c := t.coverage().Value(); c < lowCoverage {
		warn("low-coverage", "%.1f %% of the queries have a ground truth (%d of %d)", 100*c, t.processed, t.queries)
	}
	if ties := mean(float64(t.tied), t.processed).Value(); ties > manyTies {
		warn("many-ties", "in %.1f %% of the processed queries other candidates are exactly as near as the truth; the rule for ties decides their ranks", 100*ties)
	}
	if opt.FixedGallery && t.galleryPairs > 0 {
		warn("small-gallery", "%d image pairs have fewer keypoints than the fixed gallery takes, and are left out of fixed_gallery_map", t.galleryPairs)
	}
	return out
}

// fewScenes returns the number of scenes with a mean AP if they are too few for
// a test, else that of the smallest category of which they are.
func fewScenes(scenes []sceneTally) (kind string, n int) {
	defined := make(map[string]int)
	for _, s := range scenes {
		if sum(s).processed > 0 {
			defined[scope.Category(s.Name)]++
			n++
		}
	}
	if n < stats.EnoughScenes {
		return "", n
	}
	n = 0
	for _, c := range []string{scope.Viewpoint, scope.Illumination} {
		if d := defined[c]; d > 0 && d < stats.EnoughScenes && (n == 0 || d < n) {
			kind, n = c+" ", d
		}
	}
	return kind, n
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
