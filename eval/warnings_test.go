package eval

import (
	"slices"
	"testing"
)

func TestWarningsStateTheFactsOfTheRecords(t *testing.T) {
	// The facts are those of handRecords: 3 of 8 truths have equals.
	want := []Warning{
		{"failed-scenes", "scenes that failed and are left out of every figure: i_six"},
		{"few-queries", "c_four: 1 of 1 queries have a ground truth"},
		{"few-queries", "i_two: 2 of 2 queries have a ground truth"},
		{"no-queries", "v_five: image 1 has no keypoints; left out of every mean"},
		{"few-queries", "v_one: 5 of 8 queries have a ground truth"},
		{"few-queries", "v_three: 0 of 1 queries have a ground truth"},
		{"invalid-rows", "2 of 30 descriptors describe nothing"},
		{"many-ties", "in 37.5 % of the processed queries other candidates are exactly as near as the truth; the rule for ties decides their ranks"},
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
	a := NewAccumulator("d", Options{TolerancePx: 3})
	add(t, a, pairOf("v_a", 2, 30, 0, found...), pairOf("v_a", 4, 0, 0, lost...), pairOf("v_a", 3, 0, 0, lost...))
	want := []Warning{
		{"few-keypoints", "v_a: no keypoints in image 3, 4"},
		{"low-coverage", "3.2 % of the queries have a ground truth (19 of 600)"},
	}
	if got := a.Result().Warnings; !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestAResultWithoutFaultsHasNoWarnings(t *testing.T) {
	rows := make([]row, fewQueries)
	for i := range rows {
		rows[i] = row{truth: 1, nearest: 1}
	}
	a := NewAccumulator("d", Options{TolerancePx: 3})
	add(t, a, pairOf("v_a", 2, 30, 0, rows...))
	if got := a.Result().Warnings; len(got) != 0 {
		t.Errorf("got %q", got)
	}
}
