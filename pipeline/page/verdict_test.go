package page

import (
	"os"
	"slices"
	"strings"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

func TestVerdictsTellUntestedDifferencesFromThoseThatAreNotSignificant(t *testing.T) {
	r := &results{Runs: &fold.Runs{}}
	for i, name := range []string{"best", "tested worse", "tested", "untested", "equal"} {
		s := &fold.System{SystemName: fold.SystemName{Name: name}, Digests: onKeypoints("k", "v_a")}
		s.Add(scope.Metric{Scope: scope.All, Name: catalogue.MAP, Value: 1 - 0.1*float64(i)})
		r.Systems = append(r.Systems, s)
	}
	// Six scenes that differ can decide one comparison, four cannot: 2/2⁶ = 0.03, 2/2⁴ = 0.125.
	of := &report.Comparison{Baseline: "best", ScenesNeeded: 7, Rows: []report.ComparisonRow{
		{Descriptor: "tested worse", Scope: scope.All, Scenes: 9, Tested: true, Verdict: "worse"},
		{Descriptor: "tested", Scope: scope.All, Scenes: 9, Tested: true, Verdict: "~"},
		{Descriptor: "untested", Scope: scope.All, Scenes: 4, Verdict: "~"},
		{Descriptor: "equal", Scope: scope.All, Scenes: 9, Ties: 9, Verdict: "~"}, // no difference to test
	}}
	r.Comparisons = []*report.Comparison{of, {}, {}, {}, {}}
	got := r.verdicts(scope.All)
	if len(got) != 1 || got[0].Best != 0 || !slices.Equal(got[0].Behind, []int{1}) || !slices.Equal(got[0].Level, []int{2}) || !slices.Equal(got[0].Untested, []int{3}) || !slices.Equal(got[0].Equal, []int{4}) {
		t.Fatalf("verdicts %+v", got)
	}
	if want := "too few scenes; 4 comparisons need at least 7 scenes each, a single comparison 6"; got[0].Why != want {
		t.Errorf("why %q, want %q", got[0].Why, want)
	}
}

// Means over different scenes do not say which descriptor is better.
func TestVerdictsCompareOnlyDescriptorsWithTheSameScenes(t *testing.T) {
	r := &results{Runs: &fold.Runs{}}
	for i, scenes := range [][]string{{"v_a", "v_b"}, {"v_a", "v_b"}, {"v_a"}, {"v_a", "v_c"}} {
		summary := store.SummaryDescriptor{Scenes: make(map[string]store.SummaryScene)}
		for _, s := range scenes {
			summary.Scenes[s] = store.SummaryScene{}
		}
		s := &fold.System{SystemName: fold.SystemName{Name: string(rune('a' + i))}, Digests: onKeypoints("k", scenes...), Summary: summary}
		s.Add(scope.Metric{Scope: scope.All, Name: catalogue.MAP, Value: 0.5 + 0.1*float64(i), N: len(scenes)})
		r.Systems = append(r.Systems, s)
	}
	of := &report.Comparison{Rows: []report.ComparisonRow{{Descriptor: "a", Scope: scope.All}, {Descriptor: "c", Scope: scope.All}, {Descriptor: "d", Scope: scope.All}}}
	r.Comparisons = []*report.Comparison{{}, of, {}, {}}
	got := r.verdicts(scope.All)
	if len(got) != 2 || got[0].Best != 1 || got[0].Over != 2 || !slices.Equal(got[0].Untested, []int{0}) || !slices.Equal(got[1].Apart, []int{2, 3}) {
		t.Errorf("verdicts %+v", got)
	}
}

// onKeypoints returns the digests of a descriptor on the keypoints of a set in scenes.
func onKeypoints(set string, scenes ...string) map[string]store.Digests {
	digests := make(map[string]store.Digests)
	for _, scene := range scenes {
		digests[scene] = store.Digests{Scene: scene, Set: set + scene}
	}
	return digests
}

func TestDescriptorsShareKeypointsOnlyOnSharedScenes(t *testing.T) {
	r := &results{Runs: &fold.Runs{}}
	for _, digests := range []map[string]store.Digests{
		onKeypoints("k", "v_a", "v_b"), onKeypoints("k", "v_c", "v_d"), onKeypoints("k", "v_b"), onKeypoints("other", "v_a", "v_b"), nil,
	} {
		r.Systems = append(r.Systems, &fold.System{Digests: digests})
	}
	if got, want := r.sharingKeypoints(), [][]int{{0, 2}, {1}, {3}, {4}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("groups %v, want %v", got, want)
	}
}

// The run has five scenes: the smallest p of a sign-flip test is 2/2⁵ = 0.0625.
func TestPageOfTooFewScenesSpeaksOfNoTest(t *testing.T) {
	text, err := os.ReadFile(written(t, testRun(t, "small")))
	if err != nil {
		t.Fatal(err)
	}
	// Holm over 6 comparisons, of 2 descriptors in 3 groups of scenes: 6 × 2/2⁸ = 0.047.
	if want := "Differences are not tested: too few scenes; 6 comparisons need at least 8 scenes each, a single comparison 6."; !strings.Contains(string(text), want) {
		t.Errorf("the page does not contain %q", want)
	}
	body, _, _ := strings.Cut(string(text), `<script type="application/json"`)
	for _, not := range []string{"significantly", "permutation test", ">~<"} {
		if strings.Contains(body, not) {
			t.Errorf("the page contains %q", not)
		}
	}
}
