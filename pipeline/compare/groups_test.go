package compare

import (
	"maps"
	"testing"
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
		c := Against(base, "mean_ap", false)
		for _, d := range all {
			c.group(d)
		}
		if !maps.Equal(c.out.KeypointGroups, want) {
			t.Errorf("against %s: %v, want %v", base.Name, c.out.KeypointGroups, want)
		}
	}
}
