package fold

import (
	"strings"
	"testing"

	"descbench/eval"
)

func TestDoubtsAreToldByScene(t *testing.T) {
	pair := func(scene string, k, correct int32) eval.Pair {
		return eval.Pair{Scene: scene, K: k, Shared1: 900, SharedK: 900, KeypointsK: 1000, Repeated1: 50, CorrectSharedK: correct}
	}
	few := eval.Pair{Scene: "v_b", K: 2, Shared1: 20, KeypointsK: 1000}
	for name, c := range map[string]struct {
		units [][]eval.Pair // one per descriptor and scene
		want  []string
	}{
		"none":           {[][]eval.Pair{{pair("v_a", 2, 300), pair("v_a", 3, 200)}}, nil},
		"one descriptor": {[][]eval.Pair{{pair("v_a", 2, 0), pair("v_a", 3, 20)}, {pair("v_a", 2, 9), pair("v_a", 3, 20)}}, nil},
		"every descriptor": {[][]eval.Pair{{pair("v_a", 2, 0), pair("v_a", 3, 0), pair("v_a", 4, 9)}, {pair("v_a", 2, 1), pair("v_a", 3, 1), pair("v_a", 4, 9)}}, []string{
			"v_a: H_1_2, H_1_3 (k = 2, 3): with every descriptor, keypoints match"}},
		"two scenes":    {[][]eval.Pair{{pair("v_b", 6, 0)}, {pair("v_a", 2, 0), pair("v_a", 3, 99)}}, []string{"v_a: H_1_2 (k = 2)", "v_b: H_1_6 (k = 6)"}},
		"too few":       {[][]eval.Pair{{few}, {pair("v_a", 2, 99)}}, nil},
		"every pair":    {[][]eval.Pair{{pair("v_a", 2, 0), pair("v_a", 3, 0)}, {pair("v_b", 2, 0)}}, []string{"all 3 pairs: with every descriptor"}},
		"the only pair": {[][]eval.Pair{{pair("v_a", 2, 0)}}, []string{"v_a: H_1_2 (k = 2)"}},
	} {
		d := make(doubts)
		for _, pairs := range c.units {
			d.note(pairs)
		}
		got := d.warnings([]string{"v_a", "v_b"})
		if len(got) != len(c.want) {
			t.Errorf("%s: found %v, want %d warnings", name, got, len(c.want))
			continue
		}
		for i, w := range got {
			if w.Kind != "doubtful-homography" || !strings.HasPrefix(w.Text, c.want[i]) {
				t.Errorf("%s: found %v, want %q", name, w, c.want[i])
			}
		}
	}
}
