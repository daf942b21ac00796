package y2016

import (
	"math"
	"slices"
	"testing"

	"descbench/eval/patches"
)

// Of three relevant items at ranks 1, 3 and 4 precisions are 1, 2/3 and 3/4 at
// recalls of 1/3, 2/3 and 1: 3/4 is the greatest from 0.34 on.
func TestTheCurveIsTheGreatestPrecisionFromARecallOn(t *testing.T) {
	var c MeanCurve
	c.add(slices.Values([]int{1, 3, 4}), 3)
	for level, v := range c {
		want := 0.75
		if level <= 33 {
			want = 1
		}
		if v != want {
			t.Errorf("at recall %d %%: %v, want %v", level, v, want)
		}
	}
}

// Beyond the recall that is reached there is nothing; a mean is over all.
func TestCurvesThatEndEarlyCountAsZeroBeyond(t *testing.T) {
	var c MeanCurve
	c.add(slices.Values([]int{2}), 4)    // 1/2 up to 0.25
	c.add(slices.Values([]int{1, 2}), 2) // 1 throughout
	c.over(2)
	for level, v := range c {
		want := 0.5
		if level <= 25 {
			want = 0.75
		}
		if v != want {
			t.Errorf("at recall %d %%: %v, want %v", level, v, want)
		}
	}
}

// Matches of distances 1, 2, 3 of which the second is wrong; by ratio it is last.
func TestMatchesAreRankedByDistanceAndByRatio(t *testing.T) {
	m := []Matches{{Nearest: []int32{0, 0, 2}, Distance: []float64{1, 2, 3}, SecondDistance: []float64{2, 2.5, 9}}}
	byDistance, byRatio := MatchingCurves(m, nil)
	for _, c := range []struct {
		name string
		got  MeanCurve
		at   int
		want float64
	}{
		{"distance", byDistance, 33, 1}, {"distance", byDistance, 34, 2.0 / 3}, {"distance", byDistance, 66, 2.0 / 3}, {"distance", byDistance, 67, 0},
		{"ratio", byRatio, 66, 1}, {"ratio", byRatio, 67, 0},
	} {
		if math.Abs(c.got[c.at]-c.want) > 1e-15 {
			t.Errorf("by %s at recall %d %%: %v, want %v", c.name, c.at, c.got[c.at], c.want)
		}
	}
}

func TestRetrievedImagesAndPatchesHaveCurvesOfTheirOwn(t *testing.T) {
	at := func(image string, index int) patches.Signature {
		return patches.Signature{Sequence: "v_a", Image: image, Index: index}
	}
	clusters := [][]patches.Signature{{at("ref", 0), at("e1", 0), at("e2", 0)}}
	rankings := [][]patches.Signature{{at("ref", 0), at("t1", 5), at("e1", 7), at("e1", 0)}}
	images, places := RetrievalCurves(clusters, rankings)
	// Images: ranks 2 and 3, of what was found. Patches: rank 3 of a cluster of 2.
	if images[50] != 2.0/3 || images[100] != 2.0/3 || places[50] != 1.0/3 || places[51] != 0 {
		t.Errorf("images %v, %v; patches %v, %v", images[50], images[100], places[50], places[51])
	}
}
