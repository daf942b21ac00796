package page

import (
	"os"
	"slices"
	"strings"
	"testing"

	"descbench/pipeline/fold"
	"descbench/pipeline/store"
)

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
	if got, n := r.keypointSets(); !slices.Equal(got, []int{0, 1, 0, 2, 0}) || n != 3 {
		t.Errorf("%d groups %v, want three: 0 1 0 2 0", n, got)
	}
}

// The run has five scenes: the smallest p of a sign-flip test is 2/2⁵ = 0.0625. Holm over
// 2 comparisons: 2 × 2/2⁷ = 0.031; over 6, of 2 descriptors in 3 groups of scenes: 6 × 2/2⁸ = 0.047.
func TestPageOfTooFewScenesSpeaksOfNoTest(t *testing.T) {
	text, err := os.ReadFile(written(t, testRun(t, "small")))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	if want := "too few scenes differ (5); 7 are needed for these 2 comparisons (6 for a single one), and 8 viewpoint and 8 illumination scenes to test within categories"; !strings.Contains(page, want) {
		t.Errorf("the page does not contain %q", want)
	}
	for _, not := range []string{"† marks", "permutation test", `"mark":" `} {
		if strings.Contains(page, not) {
			t.Errorf("the page contains %q", not)
		}
	}
}
