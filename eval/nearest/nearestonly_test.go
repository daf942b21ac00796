package nearest_test

import (
	"math"
	"testing"

	"descbench/eval/nearest"
)

// With NearestOnly the rest of a result is what it is with everything else.
func TestNearestOnlyLeavesOutTheRest(t *testing.T) {
	for name, m := range map[string]struct{ dim, queries, candidates int }{"many": {120, 150, 140}, "one": {2, 3, 1}} {
		for _, magnitude := range []float32{1, 1e-30, 3e38} {
			queries, candidates := nearlyEqualRows(m.dim, m.queries, magnitude, 1), nearlyEqualRows(m.dim, m.candidates, magnitude, 2)
			truth := make([]int32, m.queries)
			for i := range truth {
				truth[i] = int32(i*7%(m.candidates+1)) - 1
			}
			for _, kernel := range nearest.Kernels() {
				all, err := nearest.Search(t.Context(), queries, candidates, truth, nearest.Options{Kernel: kernel})
				if err != nil {
					t.Fatal(err)
				}
				got, err := nearest.Search(t.Context(), queries, candidates, truth, nearest.Options{Kernel: kernel, NearestOnly: true})
				if err != nil {
					t.Fatal(err)
				}
				for i := range all.Nearest {
					if got.Nearest[i] != all.Nearest[i] || got.NearestDistance[i] != all.NearestDistance[i] ||
						got.Less[i] != all.Less[i] || got.Equal[i] != all.Equal[i] {
						t.Fatalf("%s, %s, %v: query %d has other results than with everything", name, kernel, magnitude, i)
					}
					if got.Second[i] != -1 || !math.IsNaN(got.SecondDistance[i]) || got.Mutual[i] {
						t.Fatalf("%s, %s: query %d has a second candidate or is mutual", name, kernel, i)
					}
				}
			}
		}
	}
}
