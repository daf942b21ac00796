package stats

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The sums have the bits of their definition.
func TestSumsAreAddedInTheOrderOfTheScenes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scenes, blocks := rapid.IntRange(1, 9).Draw(t, "scenes"), rapid.IntRange(1, 3).Draw(t, "blocks")
		n := scenes * blocks * block
		times := rapid.SliceOfN(rapid.Uint8(), n, n).Draw(t, "times")
		values := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), scenes, scenes).Draw(t, "values")
		want := make([]float64, blocks*block)
		for i := range want {
			for s, v := range values {
				want[i] += float64(float64(times[(i/block*scenes+s)*block+i%block]) * v)
			}
		}
		got := make([]float64, len(want))
		if weightedSums(times, values, got); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
