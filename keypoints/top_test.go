package keypoints

import (
	"cmp"
	"math"
	"slices"
	"testing"
)

// responding returns keypoints of the given responses, numbered by ClassID.
func responding(responses ...float32) Set {
	s := Set{}
	for i, r := range responses {
		s.Keypoints = append(s.Keypoints, Keypoint{Response: r, ClassID: int32(i)})
	}
	return s
}

func TestTopKeepsTheStrongestInDescendingOrderAndEqualOnesByRow(t *testing.T) {
	nan := float32(math.NaN())
	set := responding(0.5, nan, 0.9, 0.5, -1, 0.9, nan, 0.5)
	for n, want := range map[int][]int32{
		0: {},
		1: {2},
		4: {2, 5, 0, 3},
		6: {2, 5, 0, 3, 7, 4},
		8: {2, 5, 0, 3, 7, 4, 1, 6}, // NaN last
		9: {2, 5, 0, 3, 7, 4, 1, 6},
	} {
		if got := ids(set.Select(set.TopRows(n, ByResponse))); !slices.Equal(got, want) {
			t.Errorf("top %d is %v, want %v", n, got, want)
		}
	}
	if got := ids(set); !slices.Equal(got, []int32{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("the set itself was reordered: %v", got)
	}
}

func TestKeypointsWithoutResponsesHaveNoBestOnes(t *testing.T) {
	s := responding(0, 0, 0)
	alike := func(n int) Set { return responding(slices.Repeat([]float32{7}, n)...) }
	if s.CheckTop(2, ByResponse) == nil || alike(11).CheckTop(2, ByResponse) == nil {
		t.Error("no error")
	}
	if err := cmp.Or(s.CheckTop(3, ByResponse), s.CheckTop(2, BySize), responding(0, 0, 1).CheckTop(2, ByResponse), alike(10).CheckTop(2, ByResponse), alike(11).CheckTop(11, ByResponse)); err != nil {
		t.Error(err)
	}
}
