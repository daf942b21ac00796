package truth

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"descbench/keypoints"
)

func TestRelevantCandidatesAreAllWithinTheLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	points := func(n int) []keypoints.Keypoint {
		list := make([]keypoints.Keypoint, n)
		for i := range list {
			list[i] = keypoints.Keypoint{X: float32(r.IntN(40)), Y: float32(r.IntN(40)) / 2}
		}
		list[0].X = float32(math.NaN())
		list[1].Y = float32(math.Inf(1))
		return list
	}
	queries, candidates := points(200), points(300)
	h := keypoints.Homography{1.1, 0.1, 3, -0.05, 0.9, 1, 0, 0, 1}
	found := Find(h, queries, candidates, 3)
	for i, got := range Relevant(h, queries, candidates, 3) {
		var want []int32
		for row, c := range candidates { // every pair, as the definition says
			if found[i].PixelError(c) <= 3 {
				want = append(want, int32(row))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("query %d: got %v, want %v", i, got, want)
		}
		if nearest := found[i].Row; nearest >= 0 != (len(got) > 0) || nearest >= 0 && !slices.Contains(got, nearest) {
			t.Errorf("query %d: the nearest candidate %d is not among %v", i, nearest, got)
		}
	}
}

// The limit belongs to what is relevant, on every side.
func TestCandidatesAtTheLimitAreRelevant(t *testing.T) {
	at := func(x, y float32) keypoints.Keypoint { return keypoints.Keypoint{X: x, Y: y} }
	beyond := math.Nextafter32(13, 14)
	candidates := []keypoints.Keypoint{at(7, 20), at(13, 20), at(10, 17), at(10, 23), at(beyond, 20), at(20-beyond, 20)}
	same := keypoints.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}
	if got := Relevant(same, []keypoints.Keypoint{at(10, 20)}, candidates, 3); !slices.Equal(got[0], []int32{0, 1, 2, 3}) {
		t.Errorf("found %v, want the first four", got[0])
	}
}
