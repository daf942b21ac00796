package config

import (
	"math"

	"go.yaml.in/yaml/v3"

	"descbench/eval/matching"
	"descbench/eval/ranking"
	"descbench/eval/scope"
)

// fewRepetitions is an upper bound: more repetitions would take too long.
const fewRepetitions = 1000

func evaluation(e *Evaluation) mapping {
	return mapping{fields: []field{
		{key: "preset", doc: "workbench: rank like DescriptorWorkbench. Sets ties, relevance, exclude_invalid, exclude_invalid_truths and exclude_beyond_px; other values for these keys are errors. gluefactory: 108 scenes, images of short side 480 px, estimators dlt and ransac_1px, mutual matches. d2net: 108 scenes, images as they are, mutual matches. Both are defaults; a run names every deviation.", value: choice[string]{to: &e.Preset, words: []string{"workbench", gluefactory, d2net}, optional: true}},
		{key: "tolerance_px", doc: "Maximum distance, in px, between the ground truth and the projected query.", value: number{to: &e.TolerancePx, min: 0, max: scope.MaxTolerancePx, above: true}},
		{key: "ties", doc: "Rank among candidates at the same distance: mean, strict (first) or workbench (half, rounded up).", value: oneWord(&e.Ties, ranking.Mean, ranking.Strict, ranking.Workbench)},
		{key: "relevance", doc: "Which candidates are relevant: nearest, only the ground truth; position, all candidates at its position; identity, the projection of the query itself, for projected sets.", value: oneWord(&e.Relevance, NearestRelevant, PositionRelevant, IdentityRelevant)},
		{key: "cutoffs", doc: "The values of K for precision_at_K, ascending.", value: list[int]{to: &e.Cutoffs, of: "whole numbers", item: cutoff, min: 1, ascending: true}},
		{key: "exclude_invalid", doc: "Exclude queries whose descriptor is invalid (for example all zeros) instead of ranking them last. Above 5 % of queries with an invalid descriptor, their own or that of the ground truth, results with and without them are both reported.", value: boolean{to: &e.ExcludeInvalid}},
		{key: "exclude_invalid_truths", doc: "With exclude_invalid, also exclude queries whose ground truth has an invalid descriptor. No effect without exclude_invalid.", value: boolean{to: &e.ExcludeInvalidTruths}},
		{key: "exclude_beyond_px", doc: "Exclude queries projected to an |x| or |y| above this, in px; 0: no limit.", value: number{to: &e.ExcludeBeyondPx, min: 0, max: math.MaxFloat64}},
		{key: "fixed_gallery", doc: "Also rank every query among a fixed number of candidates, to compare sets of different sizes.", value: optional[FixedGallery]{to: &e.FixedGallery, fresh: newFixedGallery, item: fixedGallery}},
		{key: "bojanic_2019", doc: "Verification, matching and retrieval after Bartol, Bojanić et al., ISPA 2019.", value: optional[Bojanic2019]{to: &e.Bojanic2019, fresh: newBojanic2019, item: bojanic2019}},
		{key: "workbench_tasks", doc: "Verification and retrieval with distractors, after DescriptorWorkbench.", value: optional[WorkbenchTasks]{to: &e.WorkbenchTasks, fresh: newWorkbenchTasks, item: workbenchTasks}},
		{key: "matcher", doc: "Which nearest neighbours are matches, for the matching metrics and homographies of descriptors without a matcher of their own; default: mutual nearest neighbours.", value: optional[matching.Matcher]{to: &e.Matcher, fresh: newMatcher, item: matcher}},
		{key: "estimators", doc: "Homography estimators: dlt (all matches), ransac or magsac (inliers within 3 px), or with another inlier threshold, such as ransac_0.5px; each adds ESTIMATOR_homography_accuracy@K and ESTIMATOR_homography_auc@K; empty: skip these metrics.", value: list[string]{to: &e.Estimators, of: "estimators", item: func(s *string) codec { return estimator{to: s} }, distinct: true}},
	}}
}

func newMatcher() matching.Matcher { return matching.Mutual }

func matcher(m *matching.Matcher) mapping {
	return mapping{fields: []field{
		{key: "cross_check", doc: "Only mutual nearest neighbours.", value: boolean{to: &m.CrossCheck}},
		{key: "ratio", doc: "Maximum ratio of the distances of the nearest and the second nearest neighbour (Lowe 2004); 0: none.", value: number{to: &m.Ratio, min: 0, max: 1}},
		{key: "max_distance", doc: "Maximum descriptor distance; 0: none.", value: number{to: &m.MaxDistance, min: 0, max: math.MaxFloat64}},
		{key: "top_k", doc: "Maximum number of matches per image pair, those of the smallest distances; 0: all.", value: integer{to: &m.TopK, min: 0, max: math.MaxInt32}},
	}}
}

// cutoff is a codec for a K of precision_at_K.
func cutoff(k *int) codec { return integer{to: k, min: 1, max: math.MaxInt32} }

// estimator is a codec for the name of an estimator of homographies.
type estimator text

func (e estimator) decode(d *decoder, key string, n *yaml.Node) {
	d.at[key] = n
	name, ok := d.text(key, n, anyText)
	if !ok {
		return
	}
	if _, _, err := matching.ParseEstimator(name); err != nil {
		d.fault(key, n, "found %s, %v", found(n), err)
		return
	}
	*e.to = name
}

func (e estimator) encode(v view) *yaml.Node { return text(e).encode(v) }

func (estimator) schema() object {
	return object{"type": "string", "pattern": `^(dlt|(ransac|magsac)(_[0-9]+(\.[0-9]+)?px)?)$`}
}

func newFixedGallery() FixedGallery { return FixedGallery{N: 500, Seed: 1} }

func fixedGallery(g *FixedGallery) mapping {
	return mapping{fields: []field{
		{key: "n", doc: "Number of candidates, including the ground truth.", value: integer{to: &g.N, min: 2, max: math.MaxInt32}},
		{key: "seed", doc: "Seed of the random candidates.", value: seed{to: &g.Seed}},
	}}
}

func newBojanic2019() Bojanic2019 { return Bojanic2019{N: 100, Repetitions: 5, Seed: 1} }

func bojanic2019(b *Bojanic2019) mapping {
	return mapping{fields: []field{
		{key: "n", doc: "Random sample of keypoints of the reference image per scene; 0: all.", value: integer{to: &b.N, min: 0, max: math.MaxInt32}},
		{key: "repetitions", doc: "Number of repetitions, each with a new sample.", value: integer{to: &b.Repetitions, min: 1, max: fewRepetitions}},
		{key: "seed", doc: "Seed of the samples.", value: seed{to: &b.Seed}},
	}}
}

func newWorkbenchTasks() WorkbenchTasks {
	return WorkbenchTasks{DistractorScenes: 10, DistractorsPerScene: 20, HardNegatives: "count", Seed: 42}
}

func workbenchTasks(t *WorkbenchTasks) mapping {
	return mapping{fields: []field{
		{key: "distractor_scenes", doc: "Number of other scenes to draw the distractors of a query from; 0: no distractors.", value: integer{to: &t.DistractorScenes, min: 0, max: math.MaxInt32}},
		{key: "distractors_per_scene", doc: "Number of distractors per scene.", value: integer{to: &t.DistractorsPerScene, min: 1, max: math.MaxInt32}},
		{key: "hard_negatives", doc: "In retrieval, count other keypoints of the query's scene as not relevant, or ignore them.", value: oneWord(&t.HardNegatives, "count", "ignore")},
		{key: "seed", doc: "Seed of the random distractors.", value: seed{to: &t.Seed}},
	}}
}
