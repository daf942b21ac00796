package distractors

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/keypoints"
)

// What must be drawn was computed by the Stream of
// eval/random/testdata/golden.py from the keys named here.
func TestDrawsAreThoseOfAnIndependentProgram(t *testing.T) {
	// s = Stream(42, "pool image", scene); s.int_n(6) once per repetition
	for scene, want := range map[string][]int{"v_dogman": {3, 3, 4, 1, 0}, "i_ajuntament": {3, 0, 5, 3, 2}, "v_wall": {2, 4, 5, 2, 5}, "i_dome": {2, 0, 1, 0, 1}} {
		for repetition := range want {
			if got := PoolImage(42, scene, repetition, 6); got != want[repetition] {
				t.Errorf("image of %s in repetition %d: %d, want %d", scene, repetition, got, want[repetition])
			}
		}
	}
	// s = Stream(42, "workbench distractors", "v_dogman", 17); s.sample(5, 3);
	// s.sample(1000, 4) three times
	c := &candidates{Workbench: Workbench{DistractorScenes: 3, DistractorsPerScene: 4, Seed: 42}, scene: &Scene{Name: "v_dogman"}}
	for i := range 5 {
		c.pools = append(c.pools, Pool{fmt.Sprint(i), &descriptors.Matrix{Rows: 1000}})
	}
	var got []string
	c.draw(17, func(pool int, rows []int32) { got = append(got, fmt.Sprint(pool, rows)) })
	if want := []string{"1 [264 191 899 402]", "0 [192 253 478 0]", "4 [185 997 911 413]"}; !slices.Equal(got, want) {
		t.Errorf("distractors %q, want %q", got, want)
	}
	// sorted(Stream(1, "bojanic keypoints", "v_dogman", repetition).sample(40, 5))
	s := &Scene{Name: "v_dogman"}
	for range 2 {
		s.Images = append(s.Images, Image{Width: 10, Height: 10, Keypoints: make([]keypoints.Keypoint, 40), Rows: &descriptors.Matrix{Rows: 40, Dim: 1, Uint8: make([]uint8, 40)}})
		s.There = append(s.There, make([]keypoints.Place, 40))
	}
	for repetition, want := range [][]int{{9, 10, 18, 31, 35}, {0, 2, 18, 25, 36}} {
		r := &bojanicScene{Bojanic: Bojanic{N: 5, Repetitions: 2, Seed: 1}, repetition: repetition, scene: s}
		if r.choose(); !slices.Equal(r.chosen, want) {
			t.Errorf("reference keypoints of repetition %d: %v, want %v", repetition, r.chosen, want)
		}
	}
}

func TestASmallPoolGivesAllItHas(t *testing.T) {
	scenes := randomScenes(5, 4, 12)
	pools := poolsOf(scenes, 5)
	pools[1].Rows = pools[1].Rows.Select([]int{0, 1})
	pools[2].Rows = pools[2].Rows.Select(nil) // as if there were no such pool
	w := Workbench{TolerancePx: 3, DistractorScenes: 10, DistractorsPerScene: 8, Seed: 5}
	got, err := w.Record(t.Context(), "d", scenes[0], pools)
	queries := int64(len(scenes[0].Images[0].Keypoints))
	if err != nil || got.PoolScenes != 2 || got.Distractors != queries*(2+8) {
		t.Errorf("%+v, %v, want 2 scenes and %d distractors", got, err, queries*(2+8))
	}
	records := must.Get(Bojanic{N: 8, Repetitions: 1, Seed: 5}.Record(t.Context(), "d", scenes[0], 0, pools))(t)
	others := make(map[string]bool)
	for _, r := range records {
		if r.K == kOther {
			others[r.Other] = true
		}
	}
	if len(others) != 2 || others[pools[2].Scene] {
		t.Errorf("negatives from %v", others)
	}
}

func TestPoolsOfOtherDimensionsAreRefused(t *testing.T) {
	scene := randomScenes(6, 3, 8)[0]
	pools := []Pool{{"v_x", &descriptors.Matrix{Rows: 1, Dim: 9, Type: descriptors.Uint8, Uint8: make([]uint8, 9)}}}
	if r, err := (Workbench{TolerancePx: 3, DistractorScenes: 2, DistractorsPerScene: 2}).Record(t.Context(), "d", scene, pools); err == nil || !strings.Contains(err.Error(), "dimension") {
		t.Errorf("workbench gives %+v, %v", r, err)
	}
	if r, err := (Bojanic{N: 3, Repetitions: 1}).Record(t.Context(), "d", scene, 0, pools); err == nil || !strings.Contains(err.Error(), "dimension") {
		t.Errorf("bojanic gives %d records, %v", len(r), err)
	}
}
