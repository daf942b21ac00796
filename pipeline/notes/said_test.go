package notes

import (
	"slices"
	"strings"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
)

// What facts of each kind are, decided by hand. All others are warnings, which stand beside numbers and which readers
// of a paper need not know, since they concern who makes the run, or are about all metrics.
const (
	// These ask for no action, or change no value.
	asNotes = "inexact-homography scene-images same-position outside-image shifted windows no-places matches-have-none all-classified program-note angles-turn default-size " +
		"default-size-unused cut-positions moved-positions half-floats compared-once keypoint-sets counted-apart other-relevance matches-per-pair interval-differs ambiguous-metric script-stronger norm-divided not-classified invalid-pairs binned-areas"
	asLight = "few-scenes preset-differs"
	// These say what was evaluated, or how much a value means.
	inPapers = "single-draw failed-scenes failure trusted-scene copied-scene copied-homographies copied-keypoints missing-depth inexact-homography invalid-rows invalid-queries low-coverage uncovered-pairs " +
		"all-tied many-ties same-position chance-level places-at-chance invalid-in-task windows few-groups other-known other-queries no-matches random-matches failed-poses failed-estimates " +
		"misread-scores not-finite zeros placement own-tasks other-strips short-pool correct-matches patches-at-chance few-negatives deviation preset-scenes preset-pairs outside-preset not-restricted program-note angles-turn " +
		"upright small-sizes default-size default-size-unused cut-positions moved-positions half-floats other-environment other-file other-images other-matches other-keypoints unknown-keypoints " +
		"similar-keypoints keypoint-sets lacks-scenes other-relevance other-protocols other-scenes matches-per-pair interval-differs unshared other-protocol unpaired not-classified invalid-pairs binned-areas"
	// These are one line about several descriptors, also if their numbers differ.
	together = "invalid-rows invalid-queries low-coverage many-ties same-position chance-level places-at-chance small-gallery invalid-in-task other-queries outside-image shifted no-matches " +
		"random-matches failed-poses failed-estimates misread-scores skewed auc-below-half below-diagonal matches-per-pair patches-at-chance not-classified invalid-pairs"
)

func TestEachKindIsSaidWhereItMatters(t *testing.T) {
	about := map[string]string{
		"map_micro": "few-queries invalid-queries low-coverage uncovered-pairs all-tied many-ties same-position chance-level places-at-chance small-gallery other-queries",
		"mma@3":     "no-matches", "ransac_homography_auc@3": "failed-estimates", "essential_pose_auc@5": "failed-poses",
		"patch_matching_map_mean": "correct-matches noise-order", "patch_matching_success_rate_e": "noise-order", "patch_retrieval_map_100_e": "short-pool",
		"patch_verification_e_inter_balanced_auc": "unequal-pairs inter-same-sequence", "patch_classify_balanced_roc_auc": "few-negatives", "patch_retrieve_image_map": "query-not-first", "roc_auc": "",
	}
	has := func(list string, kind fact.Kind) bool { return slices.Contains(strings.Fields(list), string(kind)) }
	for _, of := range manual {
		kind, line := of.fact.Kind, Lines([]fact.Fact{of.fact})[0]
		want := warning
		if has(asNotes, kind) {
			want = note
		} else if has(asLight, kind) {
			want = light
		}
		if line.weight != want || (line.Paper != "") != has(inPapers, kind) {
			t.Errorf("%s: weight %d, in papers %q; want weight %d, in papers: %v", kind, line.weight, line.Paper, want, has(inPapers, kind))
		}
		other := of.fact.On("surf")
		for name, v := range of.fact.Numbers {
			other = other.With(name, v+1)
		}
		if got := len(Lines([]fact.Fact{of.fact.On("sift"), other})) == 1; got != has(together, kind) && len(of.fact.Numbers) > 0 && !Deviates(kind) {
			t.Errorf("%s of two descriptors is one line: %v", kind, got)
		}
		general := true // about all metrics
		for _, list := range about {
			general = general && !has(list, kind)
		}
		for metric, list := range about {
			if got := len(About([]fact.Fact{of.fact}, catalogue.Of(metric))) == 1; got != (general || has(list, kind)) {
				t.Errorf("%s is about %s: %v", kind, metric, got)
			}
		}
	}
	for grave, list := range map[fact.Kind]string{
		fact.Failure: "failed-scenes", fact.AllTied: "same-position many-ties chance-level", fact.ManyTies: "same-position", fact.RandomMatches: "failed-estimates", fact.PatchesAtChance: "noise-order",
		fact.ChanceLevel: "same-position many-ties places-at-chance empty-sides random-matches no-matches failed-estimates auc-below-half",
	} {
		for _, of := range manual {
			left := graver([]fact.Fact{fact.New(grave), of.fact})
			explained := !slices.ContainsFunc(left, func(f fact.Fact) bool { return f.Kind == of.fact.Kind })
			if explained != has(list, of.fact.Kind) {
				t.Errorf("%s explains %s: %v", grave, of.fact.Kind, explained)
			}
		}
	}
}
