package page

import (
	"os"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/config"
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
	var systems []*fold.System
	run := &fold.Run{Config: &config.Config{}}
	for _, digests := range []map[string]store.Digests{
		onKeypoints("k", "v_a", "v_b"), onKeypoints("k", "v_c", "v_d"), onKeypoints("k", "v_b"), onKeypoints("other", "v_a", "v_b"), nil,
	} {
		systems = append(systems, &fold.System{Run: run, Digests: digests})
	}
	sets, n := fold.KeypointSets(systems)
	for i, want := range []int{0, 1, 0, 2, 0} {
		if got := sets[systems[i]]; got != want || n != 3 {
			t.Errorf("system %d is in group %d of %d, want %d of 3", i, got, n, want)
		}
	}
}

// The run has five scenes: the smallest p of a sign-flip test is 2/2⁵ = 0.0625. One comparison
// on the same keypoints needs 6: 2/2⁶ = 0.031. Holm over 3, one in each of 3 groups of scenes: 3 × 2/2⁷ = 0.047.
func TestPageOfTooFewScenesSpeaksOfNoTest(t *testing.T) {
	text := must.Get(os.ReadFile(written(t, testRun(t, "small"))))(t)
	page := string(text)
	for _, want := range []string{
		"too few for a test: 5 differing scenes; a comparison needs 6",
		" points ahead of rootsift. These scenes do not suffice to test the difference.</p>", // on the keypoints of two descriptors
		"On the keypoints few, <b>a/<wbr>b-<wbr>c.d</b> has map_macro: ",                     // and of one
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
	for _, not := range []string{"† marks", "permutation test", "†"} {
		if strings.Contains(page, not) {
			t.Errorf("the page contains %q", not)
		}
	}
}
