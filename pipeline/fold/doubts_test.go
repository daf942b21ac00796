package fold

import (
	"strings"
	"testing"

	"descbench/eval/record"
)

func TestDoubtsAreToldByScene(t *testing.T) {
	pair := func(scene string, k, correct int32) record.Pair {
		return record.Pair{Scene: scene, K: k, Shared1: 900, SharedK: 900, KeypointsK: 1000, Repeated1: 50, CorrectSharedK: correct}
	}
	few := record.Pair{Scene: "v_b", K: 2, Shared1: 20, KeypointsK: 1000}
	for name, c := range map[string]struct {
		units [][]record.Pair // one per descriptor and scene
		want  []string
	}{
		"none":           {[][]record.Pair{{pair("v_a", 2, 300), pair("v_a", 3, 200)}}, nil},
		"one descriptor": {[][]record.Pair{{pair("v_a", 2, 0), pair("v_a", 3, 20)}, {pair("v_a", 2, 9), pair("v_a", 3, 20)}}, nil},
		"every descriptor": {[][]record.Pair{{pair("v_a", 2, 0), pair("v_a", 3, 0), pair("v_a", 4, 9)}, {pair("v_a", 2, 1), pair("v_a", 3, 1), pair("v_a", 4, 9)}}, []string{
			"v_a: H_1_2, H_1_3 (k = 2, 3): with every descriptor, keypoints match"}},
		"two scenes":    {[][]record.Pair{{pair("v_b", 6, 0)}, {pair("v_a", 2, 0), pair("v_a", 3, 99)}}, []string{"v_a: H_1_2 (k = 2)", "v_b: H_1_6 (k = 6)"}},
		"too few":       {[][]record.Pair{{few}, {pair("v_a", 2, 99)}}, nil},
		"every pair":    {[][]record.Pair{{pair("v_a", 2, 0), pair("v_a", 3, 0)}, {pair("v_b", 2, 0)}}, []string{"all 3 pairs: with every descriptor"}},
		"the only pair": {[][]record.Pair{{pair("v_a", 2, 0)}}, []string{"v_a: H_1_2 (k = 2)"}},
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
