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

func TestRandomRowsAreThoseOfTheSampleInTheirOrder(t *testing.T) {
	set := Set{Keypoints: make([]Keypoint, 1000)}
	drawn := random.New(1, "v_dogman", 1).Sample(1000, 50)
	rows := set.RandomRows(50, random.New(1, "v_dogman", 1).Sample)
	if slices.IsSorted(drawn) || !slices.Equal(rows, slices.Sorted(slices.Values(drawn))) {
		t.Errorf("drew %v, want %v in their order", rows, drawn)
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
