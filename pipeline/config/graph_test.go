package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"descbench/eval/must"
)

func TestAChainFollowsTheSideOfAnIntersection(t *testing.T) {
	c := mustLoad(t, "testdata/every_step.good.yml")
	for name, want := range map[string][]string{
		"strong":  {"strong"},
		"both.a":  {"strong", "both"},
		"both.b":  {"surf", "both"},
		"again.a": {"surf", "both", "again"},
		"again.b": {"strong", "both", "again"},
		"part":    {"d2", "part"},
	} {
		var got []string
		for _, s := range c.Graph().Chain(name) {
			got = append(got, s.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"both", "strong.a", "none", ""} {
		if s, _ := c.Graph().Find(name); s != nil {
			t.Errorf("%q is found as %v", name, s)
		}
	}
}

func TestAFusionBelongsToTheKeypointsOfItsParts(t *testing.T) {
	c := mustLoad(t, "testdata/every_step.good.yml")
	fused := c.Descriptors[4]
	for _, e := range []struct{ of, want string }{
		{"wide,dspsift", "again.a"}, {"dspsift,wide", "again.a"}, {"dspsift,concatenated", "again.b"}, {"concatenated,wide,dspsift", "again.a"},
	} {
		fused.Fusion = &Fusion{Of: strings.Split(e.of, ",")}
		if got := c.SetOf(fused); got != e.want {
			t.Errorf("%s: got %s, want %s", e.of, got, e.want)
		}
	}
	if got := c.SetOf(c.Descriptors[7]); got != "part" {
		t.Errorf("got %s", got)
	}
}

// Nested intersections have twice as many ways with each level, and a file may
// hold thousands of sets; neither may take long.
func TestAWebOfSetsIsCheckedInTime(t *testing.T) {
	var deep, long strings.Builder
	deep.WriteString("  - {name: s0, detect: {type: sift}}\n  - {name: s1, intersect: {a: s0, b: u, tolerance_px: 1}, top: {total: 5}}\n")
	for i := 2; i < 200; i++ {
		fmt.Fprintf(&deep, "  - {name: s%d, intersect: {a: s%d.a, b: s%[2]d.b, tolerance_px: 1}, top: {total: 5}}\n", i, i-1)
	}
	deep.WriteString("  - {name: u, detect: {type: surf}}\n")
	long.WriteString("  - {name: s0, detect: {type: sift}}\n")
	for i := 1; i < 5000; i++ {
		fmt.Fprintf(&long, "  - {name: s%d, from: s%d}\n", i, i-1)
	}
	for _, sets := range []string{deep.String(), long.String()} {
		text := "experiment: {name: t}\ndataset: {root: scenes}\nkeypoint_sets:\n" + sets + "descriptors: [{name: d, type: sift, keypoints: s0}]\n"
		begin := time.Now()
		c := must.Get(load("t.yaml", []byte(text), Overrides{}))(t)
		if got := c.Graph().Depth(&c.KeypointSets[199]); got != 199 && sets == deep.String() {
			t.Errorf("depth %d of s199, want 199, one for each of s1 to s199", got)
		}
		if took := time.Since(begin); took > 20*time.Second { // it takes a fraction of a second
			t.Errorf("%d bytes took %v", len(text), took)
		}
	}
}
