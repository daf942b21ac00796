package keypoints

import (
	"math"
	"slices"
	"testing"

	"descbench/eval/random"
)

func TestRowsBetweenIncludeTheLimitsAndKeepTheOrder(t *testing.T) {
	set := Set{}
	for i, size := range []float32{5, 2, float32(math.NaN()), 9, 2.5, 5, -1, float32(math.Inf(1))} {
		set.Keypoints = append(set.Keypoints, Keypoint{Size: size, Response: -size, ClassID: int32(i)})
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		name      string
		by        Measure
		low, high float64
		want      []int
	}{
		{"min_size 2.5", BySize, 2.5, inf, []int{0, 3, 4, 5, 7}},
		{"max_size 5", BySize, -inf, 5, []int{0, 1, 4, 5, 6}},
		{"both", BySize, 2.5, 5, []int{0, 4, 5}},
		{"min_response -5", ByResponse, -5, inf, []int{0, 1, 4, 5, 6}},
		{"no limits but NaN", BySize, -inf, inf, []int{0, 1, 3, 4, 5, 6, 7}},
		{"nothing", BySize, 6, 7, []int{}},
	} {
		if got := set.RowsBetween(c.by, c.low, c.high); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestRandomRowsAreDrawnBySeedSceneAndImageInTheirOrder(t *testing.T) {
	set := Set{Keypoints: make([]Keypoint, 1000)}
	seen := map[int]bool{}
	var all [][]int
	for _, c := range []struct {
		seed  uint64
		scene string
		image int
	}{{1, "v_dogman", 1}, {2, "v_dogman", 1}, {1, "v_churchill", 1}, {1, "v_dogman", 2}, {1, "v_dogman1", 1}} {
		rows := set.RandomRows(50, random.New(c.seed, c.scene, c.image).Sample)
		if len(rows) != 50 || !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != 50 || rows[0] < 0 || rows[49] >= 1000 {
			t.Errorf("%v: drew %v", c, rows)
		}
		if again := set.RandomRows(50, random.New(c.seed, c.scene, c.image).Sample); !slices.Equal(again, rows) {
			t.Errorf("%v: drew %v, then %v", c, rows, again)
		}
		for _, r := range rows {
			seen[r] = true
		}
		all = append(all, rows)
	}
	for i := range all {
		for j := range i {
			if slices.Equal(all[i], all[j]) {
				t.Errorf("draws %d and %d are the same: %v", i, j, all[i])
			}
		}
	}
	// 250 draws of 50 from 1000 miss a row with (1-1/20)⁵ = 0.77: 226 are seen.
	if len(seen) < 200 || len(seen) > 250 {
		t.Errorf("%d different rows in 250, want about 226", len(seen))
	}
}

func TestRandomRowsAreAllIfThereAreNoMore(t *testing.T) {
	set := Set{Keypoints: make([]Keypoint, 3)}
	for _, n := range []int{3, 4, math.MaxInt} {
		if got := set.RandomRows(n, random.New(1).Sample); !slices.Equal(got, []int{0, 1, 2}) {
			t.Errorf("%d of 3: %v", n, got)
		}
	}
	for _, n := range []int{0, -1} {
		if got := set.RandomRows(n, random.New(1).Sample); len(got) != 0 {
			t.Errorf("%d of 3: %v", n, got)
		}
	}
}
