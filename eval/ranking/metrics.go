package ranking

import (
	"strconv"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
)

// scopeMetrics adds the metrics of one scope to a list.
type scopeMetrics struct {
	scope.Scope[*pairTally]
	list    *scope.List
	invalid bool // many queries are concerned by invalid rows
}

// A sceneMetric computes a metric of one scene.
type sceneMetric func(sceneTally) scope.Fraction

// of returns the metric computed by f from a scene's tally.
func of(f func(tally) scope.Fraction) sceneMetric {
	return func(s sceneTally) scope.Fraction { return f(sum(s)) }
}

// hits returns the metric for the share of processed queries with rank ≤ k.
func hits(k int) sceneMetric {
	return func(s sceneTally) (f scope.Fraction) {
		for _, p := range s.Parts {
			f.Sum += float64(p.Tally.hits(k))
			f.N += p.Tally.tally.processed
		}
		return f
	}
}

// add adds the defined metrics in a fixed order.
func (f scopeMetrics) add(opt Options) {
	categories := []string{scope.Viewpoint, scope.Illumination}
	if f.Kind != scope.Everything && f.Kind != scope.OneImage {
		categories = nil // the scope has one category
	}
	f.micro(catalogue.MicroMAP, f.Scenes, of(tally.trueMAP))
	f.macro(catalogue.MAP, f.Scenes, of(tally.trueMAP))
	for _, c := range categories {
		f.macro(c+"_map", f.In(c), of(tally.trueMAP))
		f.micro(c+"_map_micro", f.In(c), of(tally.trueMAP))
	}
	f.micro("true_map_micro_including_zeros", f.Scenes, of(tally.trueMAPIncludingZeros))
	f.macro(catalogue.MAP+"_including_zeros", f.Scenes, of(tally.trueMAPIncludingZeros))
	for _, c := range categories {
		f.macro(c+"_map_including_zeros", f.In(c), of(tally.trueMAPIncludingZeros))
	}
	if f.invalid {
		for _, x := range []struct {
			name string
			of   sceneMetric
		}{{"_including_invalid", of(func(t tally) scope.Fraction { return t.withInvalid })}, {"_excluding_invalid", of(func(t tally) scope.Fraction { return t.withoutInvalid })}} {
			f.micro("true_map_micro"+x.name, f.Scenes, x.of)
			f.macro(catalogue.MAP+x.name, f.Scenes, x.of)
		}
	}
	f.micro("mean_precision", f.Scenes, of(tally.meanPrecision))
	f.macro("legacy_macro_precision_by_scene", f.Scenes, of(tally.meanPrecision))
	first := len(f.list.Metrics)
	for _, k := range opt.Cutoffs {
		f.micro("precision_at_"+strconv.Itoa(k), f.Scenes, hits(k))
	}
	// With one relevant candidate per query, precision and recall are equal.
	// Both names are reported, so that users find either.
	for i, m := range f.list.Metrics[first:] {
		m.Name = "recall_at_" + strconv.Itoa(opt.Cutoffs[i])
		f.list.Metrics = append(f.list.Metrics, m)
	}
	for i, px := range mrrTolerancesPx {
		f.micro("mrr@"+strconv.Itoa(px), f.Scenes, of(func(t tally) scope.Fraction { return t.reciprocal[i] }))
	}
	f.micro("coverage", f.Scenes, of(tally.coverage))
	f.micro("mean_gallery_size", f.Scenes, of(tally.gallery))
	t := total(f.Scenes)
	if opt.FixedGallery {
		f.micro("fixed_gallery_map", f.Scenes, of(tally.fixedGalleryMAP))
		f.macro("fixed_gallery_map_macro_by_scene", f.Scenes, of(tally.fixedGalleryMAP))
		f.count("fixed_gallery_queries", t.inGallery, t.processed)
		f.count("fixed_gallery_pairs_left_out", t.galleryPairs, t.pairs)
	}
	f.count("total_queries_processed", t.processed, t.queries)
	f.count("total_queries_excluded", t.queries-t.processed, t.queries)
	if f.invalid {
		f.count("total_queries_invalid", t.concerned(), t.withInvalid.N)
	}
	f.count("total_matches", t.matches, t.queries)
	f.count("total_keypoints", t.keypoints, t.images)
	f.count("total_invalid_rows", t.invalid, t.keypoints)
}

// micro adds a mean over the queries or pairs of all scenes.
func (f scopeMetrics) micro(name string, scenes []sceneTally, of sceneMetric) {
	scope.Micro(f.list, f.Name, name, scenes, of)
}

// macro adds a mean over scenes, except in scopes of one scene or pair.
func (f scopeMetrics) macro(name string, scenes []sceneTally, of sceneMetric) {
	if f.Kind < scope.OneScene {
		scope.Macro(f.list, f.Name, name, scenes, of)
	}
}

// count adds a count out of n.
func (f scopeMetrics) count(name string, count, n int) { f.list.Count(f.Name, name, count, n) }
