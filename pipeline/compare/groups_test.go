package compare

import (
	"descbench/eval/catalogue"
	"maps"
	"math"
	"testing"

	"descbench/eval/fact"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
)

// sift and rootsift share keypoints in both scenes, surf only in one of them; orb was
// evaluated in other scenes.
func TestWhoSharesKeypointsDoesNotDependOnTheBaseline(t *testing.T) {
	on := func(name, a, b string) *Descriptor {
		return &Descriptor{Name: name, Scenes: map[string]SceneValue{"a": {Set: a}, "b": {Set: b}}}
	}
	all := []*Descriptor{on("surf", "1", "3"), on("sift", "1", "2"), on("rootsift", "1", "2"), {Name: "orb", Scenes: map[string]SceneValue{"c": {Set: "1"}}}}
	want := map[string]string{"surf": "surf", "sift": "sift", "rootsift": "sift", "orb": "orb"}
	for _, base := range all {
		c := Against(base, catalogue.Of("mean_ap"))
		for _, d := range all {
			c.group(d)
		}
		if !maps.Equal(c.out.KeypointGroups, want) {
			t.Errorf("against %s: %v, want %v", base.Name, c.out.KeypointGroups, want)
		}
	}
}

// Matches by row have the keypoints of their set, and no coverage; those of positions have none.
func TestOnlyKeypointsOfMatchesWithoutASetAreUnknown(t *testing.T) {
	on := func(set string, loose bool) *Descriptor {
		return &Descriptor{System: &fold.System{Run: &fold.Run{Config: new(config.Config)}}, Name: "base", Loose: loose, Coverage: math.NaN(), Gallery: math.NaN(), Scenes: map[string]SceneValue{"v_a": {Set: set}}}
	}
	a, b := on("1", true), on("2", true)
	if b.joinGroup([]*Descriptor{a}); sameKeypoints(a, b) {
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
