package config

import (
	"math"
	"strings"

	"descbench/eval/distractors"
	"descbench/eval/matching"
	"descbench/eval/ranking"
	"descbench/eval/scope"
)

// fewRepetitions is an upper bound: more repetitions would take too long.
const fewRepetitions = 1000

func evaluation(e *Evaluation) mapping {
	return mapping{fields: []field{
		{key: "preset", doc: "workbench: rank like DescriptorWorkbench; sets ties, relevance, exclude_invalid, exclude_invalid_truths and exclude_beyond_px, and other values for these keys are errors. The others evaluate matches as a paper does: they set dataset.subset, dataset.resize, matcher and estimators where these are not given, and a run names every deviation (see docs/presets.md). null: none, also in place of the file's.", value: choice[string]{to: &e.Preset, words: presetNames(), optional: true}},
		{key: "tolerance_px", doc: "Maximum distance, in px, between the ground truth and the projected query.", value: number{min: 0, max: scope.MaxTolerancePx, above: true}.into(&e.TolerancePx)},
		{key: "ties", doc: "Rank among candidates at the same distance: mean, strict (first) or workbench (half, rounded up).", value: oneWord(&e.Ties, ranking.Mean, ranking.Strict, ranking.Workbench)},
		{key: "relevance", doc: "Which candidates are relevant: nearest, only the ground truth; position, all candidates at its position; identity, the projection of the query itself, for projected sets.", value: oneWord(&e.Relevance, ranking.NearestRelevant, ranking.PositionRelevant, ranking.IdentityRelevant)},
		{key: "cutoffs", doc: "The values of K for hit@K (precision_at_K in files), ascending.", value: list[int]{to: &e.Cutoffs, of: "whole numbers", item: integer{min: 1, max: math.MaxInt32}.into, min: 1, ascending: true}},
		{key: "exclude_invalid", doc: "Exclude queries whose descriptor is invalid (for example all zeros) instead of ranking them last. If more than 5 % of the queries have an invalid descriptor, their own or that of their ground truth, results with and without them are reported.", value: boolean(&e.ExcludeInvalid)},
		{key: "exclude_invalid_truths", doc: "With exclude_invalid, also exclude queries whose ground truth has an invalid descriptor. Default: true, but false with preset workbench. No effect without exclude_invalid.", value: boolean(&e.ExcludeInvalidTruths)},
		{key: "exclude_beyond_px", doc: "Exclude queries projected to an |x| or |y| above this, in px; 0: no limit.", value: number{min: 0, max: math.MaxFloat64}.into(&e.ExcludeBeyondPx)},
		{key: "fixed_gallery", doc: "Also rank every query among a fixed number of candidates, to compare sets of different sizes.", value: maybe(&e.FixedGallery, FixedGallery{N: 500, Seed: 1}, fixedGallery)},
		{key: "bojanic_2019", doc: "Verification, matching and retrieval after Bojanić, Bartol et al., ISPA 2019.", value: maybe(&e.Bojanic2019, distractors.Bojanic{N: 100, Repetitions: 5, Seed: 1}, bojanic2019)},
		{key: "workbench_tasks", doc: "Verification and retrieval with distractors, after DescriptorWorkbench.", value: maybe(&e.WorkbenchTasks, distractors.Workbench{DistractorScenes: 10, DistractorsPerScene: 20, HardNegatives: "count", Seed: 42}, workbenchTasks)},
		{key: "shared_top_k", doc: "Use only this many keypoints of each image of a pair: those of the highest response whose projection (x, y) lies in the other image, 0 ≤ x < width and 0 ≤ y < height; repeatability is then measured in image K, as in rpautrat/SuperPoint; 0: all keypoints.", value: integer{min: 0, max: math.MaxInt32}.into(&e.SharedTopK)},
		{key: "shared_region", doc: "Region from which shared_top_k takes keypoints: image, the region described there; keynet, the masks of axelBarroso/Key.Net: positions, rounded to pixels, at least 15 px inside their image, where the other image's inside, warped by bilinear interpolation, is at least 0.75. keynet also adds keynet_repeatability and other metrics of that code.", value: eitherWord(&e.KeynetRegion, "image", "keynet")},
		{key: "matcher", doc: "Which nearest neighbours are matches, for the matching metrics and homographies of descriptors without a matcher of their own; default: mutual nearest neighbours.", value: maybe(&e.Matcher, matching.Mutual, matcher)},
		{key: "estimators", doc: "Homography estimators: dlt (all matches), ransac, magsac and others (inliers within 3 px), or with parameters in the name, such as ransac_0.5px (docs/config.md lists them); each adds ESTIMATOR_homography_accuracy@K and ESTIMATOR_homography_auc@K. For images with cameras, estimators of relative poses: essential (inliers within 1 px; the default there) and others; each adds ESTIMATOR_pose_auc@K and others. Empty: skip these metrics.", value: list[string]{to: &e.Estimators, of: "estimators", item: func(s *string) codec { return text{to: s, rule: estimatorRule} }, distinct: true}},
		{key: "own_estimators", doc: "Programs that estimate: own_homography_NAME and own_pose_NAME in estimators, such as own_pose_mine_2px. See docs/own-functions.md.", value: named[OwnEstimator]{to: &e.OwnEstimators, item: ownEstimator, what: "own estimator"}},
		{key: "estimator_draws", doc: "Number of draws of the samples of estimators of homographies other than dlt, each from the matches in another random order. Metrics are means over the draws; METRIC_std are their standard deviations. 1: one draw, from the matches in their order, as presets of papers do.", value: integer{min: 1, max: matching.MaxRepetitions}.into(&e.Draws.Homographies)},
		{key: "pose_draws", doc: "The same for estimators of poses, which take up to 0.3 s for a pair and draw.", value: integer{min: 1, max: matching.MaxRepetitions}.into(&e.Draws.Poses)},
	}}
}

func matcher(m *matching.Matcher) mapping {
	return mapping{fields: []field{
		{key: "cross_check", doc: "Only mutual nearest neighbours.", value: boolean(&m.CrossCheck)},
		{key: "ratio", doc: "Maximum ratio of the distances of the nearest and the second nearest neighbour (Lowe 2004), itself accepted (<=); 0: none.", value: number{min: 0, max: 1}.into(&m.Ratio)},
		{key: "max_distance", doc: "Maximum descriptor distance; 0: none.", value: number{min: 0, max: math.MaxFloat64}.into(&m.MaxDistance)},
		{key: "min_similarity", doc: "Minimum cosine of the angle between the rows of a match, for rows of length 1, as of normalize: l2; 0: none.", value: number{min: 0, max: 1}.into(&m.MinSimilarity)},
		{key: "top_k", doc: "Maximum number of matches per image pair, those of the smallest distances; 0: all.", value: integer{min: 0, max: math.MaxInt32}.into(&m.TopK)},
	}}
}

// estimatorRule is that of the names of estimators.
var estimatorRule = textRule{
	want: "the name of an estimator, such as ransac_0.5px",
	check: func(s string) error {
		_, err := matching.ParseEstimator(s)
		return err
	},
	like: "^(" + strings.Join(matching.EstimatorTypes(), "|") + `|own_(homography|pose)_[a-z][a-z0-9]*)(_[a-z0-9.]+)*$`,
}

// eitherWord returns the codec for one of two words that stand for false and true.
func eitherWord(to *bool, unset, when string) choice[bool] {
	return choice[bool]{to: to, words: []bool{false, true}, names: []string{unset, when}}
}

func fixedGallery(g *FixedGallery) mapping {
	return mapping{fields: []field{
		{key: "n", doc: "Number of candidates, including the ground truth.", value: integer{min: 2, max: math.MaxInt32}.into(&g.N)},
		{key: "seed", doc: "Seed of the random candidates.", value: seed(&g.Seed)},
	}}
}

func bojanic2019(b *distractors.Bojanic) mapping {
	return mapping{fields: []field{
		{key: "n", doc: "Random sample of keypoints of the reference image per scene; 0: all.", value: integer{min: 0, max: math.MaxInt32}.into(&b.N)},
		{key: "repetitions", doc: "Number of repetitions, each with a new sample.", value: integer{min: 1, max: fewRepetitions}.into(&b.Repetitions)},
		{key: "seed", doc: "Seed of the samples.", value: seed(&b.Seed)},
	}}
}

func workbenchTasks(t *distractors.Workbench) mapping {
	return mapping{fields: []field{
		{key: "distractor_scenes", doc: "Number of other scenes to draw the distractors of a query from; 0: no distractors.", value: integer{min: 0, max: math.MaxInt32}.into(&t.DistractorScenes)},
		{key: "distractors_per_scene", doc: "Number of distractors per scene.", value: integer{min: 1, max: math.MaxInt32}.into(&t.DistractorsPerScene)},
		{key: "hard_negatives", doc: "In retrieval, count other keypoints of the query's scene as not relevant, or ignore them.", value: oneWord(&t.HardNegatives, "count", "ignore")},
		{key: "seed", doc: "Seed of the random distractors.", value: seed(&t.Seed)},
	}}
}
