package compare

import (
	"descbench/eval/catalogue"
	"math"
	"testing"

	"descbench/eval/fact"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// Matches by row have the keypoints of their set, and no coverage; those of positions have none.
func TestOnlyKeypointsOfMatchesWithoutASetAreUnknown(t *testing.T) {
	on := func(set string, loose bool) *Descriptor {
		system := &fold.System{Run: &fold.Run{Config: new(config.Config)}, Digests: map[string]store.Digests{"v_a": {Set: set}}}
		return &Descriptor{System: system, Name: "base", Loose: loose, Coverage: math.NaN(), Gallery: math.NaN(), Scenes: map[string]SceneValue{"v_a": {Set: set}}}
	}
	a, b := on("1", true), on("2", true)
	if sameKeypoints(a, b) {
		t.Error("two matchers without keypoints have the same ones")
	}
	for _, c := range []struct {
		base, d *Descriptor
		want    fact.Kind
	}{{on("1", false), on("2", false), fact.OtherKeypoints}, {on("1", false), b, fact.UnknownKeypoints}, {a, on("2", false), fact.UnknownKeypoints}} {
		if got := otherKeypoints(c.base, c.d, []report.SceneDifference{{Scene: "v_a"}}, catalogue.Of("mma@3")); len(got) != 1 || got[0].Kind != c.want {
			t.Errorf("got %v, want %q", got, c.want)
		}
	}
}
