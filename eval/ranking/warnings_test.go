package ranking

import (
	"reflect"
	"strings"
	"testing"

	"descbench/eval/scope"
)

func TestWarningsStateTheFactsOfTheRecords(t *testing.T) {
	// The facts are those of handRecords: 3 of 8 truths have equals.
	want := []scope.Warning{
		{Kind: "failed-scenes", Text: "failed scenes (excluded from all metrics): i_six", Scenes: []string{"i_six"}},
		{Kind: "few-queries", Text: "c_four: 1 of 1 queries have a ground truth", Scenes: []string{"c_four"}},
		{Kind: "few-queries", Text: "i_two: 2 of 2 queries have a ground truth", Scenes: []string{"i_two"}},
		{Kind: "few-queries", Text: "v_one: 5 of 8 queries have a ground truth", Scenes: []string{"v_one"}},
		{Kind: "few-queries", Text: "v_three: 0 of 1 queries have a ground truth", Scenes: []string{"v_three"}},
		{Kind: "no-queries", Text: "no keypoints in image 1, or in any other image, of v_five: excluded from map; 0 in coverage, map_including_zeros, repeatability, matching_score, mma and homographies", Scenes: []string{"v_five"}},
		{Kind: "few-scenes", Text: "only 3 scenes: no intervals; too few for a significant difference (descbench compare says how many it takes)"},
		{Kind: "invalid-rows", Text: "2 of 30 descriptors are invalid (not finite as float32, zero norm, or not computed)"},
		{Kind: "invalid-queries", Text: "12.5 % of the queries with a ground truth (1 of 8) have an invalid descriptor, their own or that of the ground truth: mAP micro is 59.2 % with them, ranked last, and 64.0 % without them (evaluation.exclude_invalid)"},
		{Kind: "many-ties", Text: "37.5 % of the ground truths have ties to 0.1 % (of two: rank 1.5, no hit@1); usually keypoints at one position: also compare with --set evaluation.relevance=position"},
	}
	if got := handResult(t).Warnings; !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
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
	want := []scope.Warning{
		{Kind: "few-keypoints", Text: "v_a: no keypoints in image 3, 4", Scenes: []string{"v_a"}},
		{Kind: "few-scenes", Text: "only 1 scene: no intervals; too few for a significant difference (descbench compare says how many it takes)"},
		{Kind: "low-coverage", Text: "only 3.2 % of the queries have a ground truth (19 of 600)"},
	}
	if got := a.Result().Warnings; !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
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

func TestAResultWithoutFaultsHasNoWarnings(t *testing.T) {
	for _, scenes := range [][2]int{{6, 0}, {0, 6}, {7, 8}} {
		if got := manyScenes(t, scenes[0], scenes[1]).Result().Warnings; len(got) != 0 {
			t.Errorf("%v scenes: got %q", scenes, got)
		}
	}
}

func TestCategoriesThatAreTooSmallForATestAreWarnedAbout(t *testing.T) {
	for scenes, want := range map[[2]int]string{
		{7, 4}: "only 4 illumination scenes (no intervals):",
		{5, 6}: "only 5 viewpoint scenes (intervals are too narrow):",
		{5, 3}: "only 5 viewpoint scenes (intervals are too narrow) and 3 illumination scenes (no intervals):",
		{2, 3}: "only 5 scenes: intervals are too narrow;",
		{2, 2}: "only 4 scenes: no intervals;",
		{3, 3}: "only 3 viewpoint scenes (no intervals) and 3 illumination scenes (no intervals):",
		{7, 1}: "only 1 illumination scene (no intervals):",
	} {
		got := manyScenes(t, scenes[0], scenes[1]).Result().Warnings
		if len(got) != 1 || got[0].Kind != "few-scenes" || !strings.HasPrefix(got[0].Text, want) {
			t.Errorf("%v scenes: got %q, want %q", scenes, got, want)
		}
	}
}
