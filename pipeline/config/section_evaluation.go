package config

import (
	"math"

	"descbench/eval"
	"descbench/eval/scope"
)

// fewRepetitions bounds what nobody would wait for.
const fewRepetitions = 1000

func evaluation(e *Evaluation) mapping {
	return mapping{fields: []field{
		{key: "preset", doc: "workbench: rank as DescriptorWorkbench does, which sets ties, relevance, exclude_invalid and exclude_beyond_px; no other value may then be given for them.", value: choice[string]{to: &e.Preset, words: []string{"workbench"}, optional: true}},
		{key: "tolerance_px", doc: "Largest distance, in px, of the ground truth from the projected query.", value: number{to: &e.TolerancePx, min: 0, max: scope.MaxTolerancePx, above: true}},
		{key: "ties", doc: "Rank among candidates at the same distance: mean, strict (first) or workbench (half, rounded up).", value: oneWord(&e.Ties, eval.Mean, eval.Strict, eval.Workbench)},
		{key: "relevance", doc: "Which candidates answer a query: nearest, the ground truth alone; position, all that lie where it does; identity, the projection of the query itself, for sets that project.", value: oneWord(&e.Relevance, NearestRelevant, PositionRelevant, IdentityRelevant)},
		{key: "cutoffs", doc: "The K of precision_at_K, ascending.", value: ascending{to: &e.Cutoffs}},
		{key: "exclude_invalid", doc: "Leave out queries whose descriptor is invalid, as one of zeros is, instead of ranking them last.", value: boolean{to: &e.ExcludeInvalid}},
		{key: "exclude_beyond_px", doc: "Leave out queries projected to an |x| or |y| beyond this, in px; 0: none.", value: number{to: &e.ExcludeBeyondPx, min: 0, max: math.MaxFloat64}},
		{key: "fixed_gallery", doc: "Rank every query among as many candidates, too, so that sets of different sizes can be compared.", value: optional[FixedGallery]{to: &e.FixedGallery, fresh: newFixedGallery, item: fixedGallery}},
		{key: "bojanic_2019", doc: "Verification, matching and retrieval after Bartol, Bojanić et al., ISPA 2019.", value: optional[Bojanic2019]{to: &e.Bojanic2019, fresh: newBojanic2019, item: bojanic2019}},
		{key: "workbench_tasks", doc: "Verification and retrieval with distractors, after DescriptorWorkbench.", value: optional[WorkbenchTasks]{to: &e.WorkbenchTasks, fresh: newWorkbenchTasks, item: workbenchTasks}},
		{key: "estimators", doc: "How homographies are estimated from the matches, for homography_accuracy and homography_auc; empty: not at all.", value: choices{to: &e.Estimators, words: []string{"ransac", "magsac"}}},
	}}
}

func newFixedGallery() FixedGallery { return FixedGallery{N: 500, Seed: 1} }

func fixedGallery(g *FixedGallery) mapping {
	return mapping{fields: []field{
		{key: "n", doc: "Candidates, the ground truth among them.", value: integer{to: &g.N, min: 2, max: math.MaxInt32}},
		{key: "seed", doc: "Seed of the choice of candidates.", value: seed{to: &g.Seed}},
	}}
}

func newBojanic2019() Bojanic2019 { return Bojanic2019{N: 100, Repetitions: 5, Seed: 1} }

func bojanic2019(b *Bojanic2019) mapping {
	return mapping{fields: []field{
		{key: "n", doc: "Keypoints of the reference image to take from every scene at random; 0: all.", value: integer{to: &b.N, min: 0, max: math.MaxInt32}},
		{key: "repetitions", doc: "How often, each time with other keypoints.", value: integer{to: &b.Repetitions, min: 1, max: fewRepetitions}},
		{key: "seed", doc: "Seed of these choices.", value: seed{to: &b.Seed}},
	}}
}

func newWorkbenchTasks() WorkbenchTasks {
	return WorkbenchTasks{DistractorScenes: 10, DistractorsPerScene: 20, HardNegatives: "count", Seed: 42}
}

func workbenchTasks(t *WorkbenchTasks) mapping {
	return mapping{fields: []field{
		{key: "distractor_scenes", doc: "Other scenes that the distractors of a query come from; 0: no distractors.", value: integer{to: &t.DistractorScenes, min: 0, max: math.MaxInt32}},
		{key: "distractors_per_scene", doc: "Distractors from each of them.", value: integer{to: &t.DistractorsPerScene, min: 1, max: math.MaxInt32}},
		{key: "hard_negatives", doc: "Other keypoints of the query's scene, in retrieval: count them as not relevant, or ignore them.", value: oneWord(&t.HardNegatives, "count", "ignore")},
		{key: "seed", doc: "Seed of the choice of distractors.", value: seed{to: &t.Seed}},
	}}
}
