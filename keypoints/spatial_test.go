package keypoints

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// strong returns a keypoint at a position with a response.
func strong(x, y, response float32) Keypoint { return Keypoint{X: x, Y: y, Response: response} }

func TestSpacedRowsTakeTheStrongestFirstAndKeepTheOrderOfRows(t *testing.T) {
	nan := float32(math.NaN())
	set := Set{Keypoints: []Keypoint{
		strong(0, 0, 1),    // 0: 5 px from row 1, which is stronger
		strong(3, 4, 2),    // 1
		strong(8, 4, 1),    // 2: 5 px from row 1
		strong(12, 4, 0.5), // 3: 4 px from row 2, where that was taken
		strong(100, 0, 1),  // 4
		strong(100, 0, 1),  // 5: as strong, at the same place: the lower row wins
		strong(102, 0, nan),
		strong(200, 0, nan), // 7: alone
		strong(nan, 0, 9), strong(0, float32(math.Inf(1)), 9),
	}}
	for _, c := range []struct {
		distance float64
		want     []int
	}{
		{5, []int{0, 1, 2, 4, 7}}, // 5 px are not nearer than 5 px
		{math.Nextafter(5, 6), []int{1, 3, 4, 7}},
		{9, []int{1, 3, 4, 7}},
		{1e6, []int{1}},
		{1, []int{0, 1, 2, 3, 4, 6, 7}},
		{0, []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{1e-300, []int{0, 1, 2, 3, 4, 6, 7}},
	} {
		if got := set.SpacedRows(c.distance); !slices.Equal(got, c.want) {
			t.Errorf("%v px: got %v, want %v", c.distance, got, c.want)
		}
	}
}

// spacedByAllPairs is SpacedRows by its definition.
func spacedByAllPairs(s Set, distance float64) []int {
	order := make([]int, s.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch a, b := s.Keypoints[i].Response, s.Keypoints[j].Response; {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	taken := []int{}
	for _, row := range order {
		free := true
		for _, other := range taken {
			dx := float64(s.Keypoints[row].X) - float64(s.Keypoints[other].X)
			dy := float64(s.Keypoints[row].Y) - float64(s.Keypoints[other].Y)
			if math.Sqrt(float64(dx*dx)+float64(dy*dy)) < distance {
				free = false
			}
		}
		if free {
			taken = append(taken, row)
		}
	}
	slices.Sort(taken)
	return taken
}

// position draws coordinates on a coarse lattice, where positions and distances
// repeat exactly, in an image, in a crowd, and far outside.
var position = rapid.OneOf(
	rapid.Map(rapid.IntRange(-12, 12), func(v int) float32 { return float32(v) * 2.5 }),
	rapid.Float32Range(0, 640),
	rapid.Float32Range(100, 100.5),
	rapid.SampledFrom([]float32{-1e9, 1e6, 16777216, 16777218, 3e38, -3e38, 1e-40}),
)

func drawPositions(t *rapid.T, label string) Set {
	return Set{Keypoints: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Keypoint {
		return strong(position.Draw(t, "x"), position.Draw(t, "y"), float32(rapid.IntRange(0, 3).Draw(t, "response")))
	}), 0, 50).Draw(t, label)}
}

func TestSpacedRowsAgreeWithAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawPositions(t, "set")
		distance := rapid.OneOf(rapid.SampledFrom([]float64{0, 1e-300, 0.1, 2.5, 5, 1e5, 1e39}), rapid.Float64Range(0.01, 400)).Draw(t, "distance")
		if got, want := set.SpacedRows(distance), spacedByAllPairs(set, distance); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
