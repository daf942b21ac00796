package eval

import (
	"slices"
	"strings"
	"testing"

	"descbench/eval/stats"
)

// Reports list the warnings of both packages in one form.
var _ = Warning(stats.Warning{})

func TestWarningsStateTheFactsOfTheRecords(t *testing.T) {
	// The facts are those of handRecords: 3 of 8 truths have equals.
	want := []Warning{
		{Kind: "failed-scenes", Text: "scenes that failed and are left out of every figure: i_six"},
		{Kind: "few-queries", Text: "c_four: 1 of 1 queries have a ground truth"},
		{Kind: "few-queries", Text: "i_two: 2 of 2 queries have a ground truth"},
		{Kind: "no-queries", Text: "v_five: image 1 has no keypoints; left out of every mean"},
		{Kind: "few-queries", Text: "v_one: 5 of 8 queries have a ground truth"},
		{Kind: "few-queries", Text: "v_three: 0 of 1 queries have a ground truth"},
		{Kind: "few-scenes", Text: "figures over few scenes (3): their intervals are too narrow, and no difference over fewer than 6 can be significant"},
		{Kind: "invalid-rows", Text: "2 of 30 descriptors describe nothing"},
		{Kind: "many-ties", Text: "in 37.5 % of the processed queries other candidates are exactly as near as the truth; the rule for ties decides their ranks"},
	}
	if got := handResult(t).Warnings; !slices.Equal(got, want) {
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
	want := []Warning{
		{Kind: "few-keypoints", Text: "v_a: no keypoints in image 3, 4"},
		{Kind: "few-scenes", Text: "figures over few scenes (1): their intervals are too narrow, and no difference over fewer than 6 can be significant"},
		{Kind: "low-coverage", Text: "3.2 % of the queries have a ground truth (19 of 600)"},
	}
	if got := a.Result().Warnings; !slices.Equal(got, want) {
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

func TestTheSmallestCategoryIsWarnedAboutIfItIsTooSmallForATest(t *testing.T) {
	for scenes, want := range map[[2]int]string{
		{7, 4}: "illumination figures over few scenes (4):",
		{5, 6}: "viewpoint figures over few scenes (5):",
		{5, 3}: "illumination figures over few scenes (3):",
		{2, 3}: "figures over few scenes (5):",
	} {
		got := manyScenes(t, scenes[0], scenes[1]).Result().Warnings
		if len(got) != 1 || got[0].Kind != "few-scenes" || !strings.HasPrefix(got[0].Text, want) {
			t.Errorf("%v scenes: got %q, want %q", scenes, got, want)
		}
	}
}
