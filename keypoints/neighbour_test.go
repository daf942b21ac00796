package keypoints

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestNeighbourDistancesAreThoseOfAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s Set
	for range 300 {
		s.Keypoints = append(s.Keypoints, Keypoint{X: float32(r.IntN(60)), Y: float32(r.IntN(80)) / 3})
	}
	s.Keypoints[7].X = float32(math.NaN())
	for i, got := range s.NeighbourDistances() {
		want := math.Inf(1)
		for j, k := range s.Keypoints {
			if d := Distance(float64(s.Keypoints[i].X), float64(s.Keypoints[i].Y), float64(k.X), float64(k.Y)); i != j && d < want {
				want = d
			}
		}
		if got != want && !(i == 7 && math.IsNaN(got)) {
			t.Errorf("row %d: got %v, want %v", i, got, want)
		}
	}
	one := Set{Keypoints: s.Keypoints[:1]}
	if got := one.NeighbourDistances(); !math.IsNaN(got[0]) {
		t.Errorf("a single keypoint: got %v, want NaN", got)
	}
}
