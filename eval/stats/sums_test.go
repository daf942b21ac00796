package stats

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Both functions have the bits of the sums by their definition.
func TestSumsAreAddedInTheOrderOfTheScenes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scenes, blocks := rapid.IntRange(1, 9).Draw(t, "scenes"), rapid.IntRange(1, 3).Draw(t, "blocks")
		n := scenes * blocks * block
		times := rapid.SliceOfN(rapid.Uint8Range(0, timesLimit-1), n, n).Draw(t, "times")
		values := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), scenes, scenes).Draw(t, "values")
		want := make([]float64, blocks*block)
		for i := range want {
			for s, v := range values {
				want[i] += float64(float64(times[(i/block*scenes+s)*block+i%block]) * v)
			}
		}
		for name, sums := range map[string]sumsFunc{"portable": portableSums, "native": native} {
			if sums == nil {
				continue
			}
			got := make([]float64, len(want))
			if sums(times, values, got); !slices.Equal(got, want) {
				t.Fatalf("%s: got %v, want %v", name, got, want)
			}
		}
	})
}
