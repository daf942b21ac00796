package ranking

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestRankWorkedByHand(t *testing.T) {
	for _, c := range []struct {
		less, equal             int32
		mean, strict, workbench float64
	}{
		{0, 0, 1, 1, 1},
		{4, 0, 5, 5, 5},
		{0, 1, 1.5, 1, 2},
		{0, 2, 2, 1, 2},
		{3, 3, 5.5, 4, 6},
		{math.MaxInt32 - 1, 1, 2147483647.5, 2147483647, 2147483648},
		{0, math.MaxInt32, 1073741824.5, 1, 1073741825},
	} {
		for rule, want := range map[TieRule]float64{Mean: c.mean, Strict: c.strict, Workbench: c.workbench} {
			if got := Rank(c.less, c.equal, rule); got != want {
				t.Errorf("%v: %d nearer and %d as near rank %v, want %v", rule, c.less, c.equal, got, want)
			}
		}
	}
}

// In the sorted list the truth's distance fills a block of places: mean is
// the mean of these places, strict the first, workbench the middle one, the
// later of the two middle ones if there are two.
func TestRankByCountingIsRankBySorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		distances := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 30).Draw(t, "distances")
		truth := distances[rapid.IntRange(0, len(distances)-1).Draw(t, "truth")]
		var less, equal int32 = 0, -1 // the truth itself does not count
		for _, d := range distances {
			if d < truth {
				less++
			} else if d == truth {
				equal++
			}
		}
		slices.Sort(distances)
		var places []int
		for i, d := range distances {
			if d == truth {
				places = append(places, i+1)
			}
		}
		sum := 0
		for _, p := range places {
			sum += p
		}
		want := map[TieRule]float64{
			Mean:      float64(sum) / float64(len(places)),
			Strict:    float64(places[0]),
			Workbench: float64(places[len(places)/2]),
		}
		for rule, w := range want {
			if got := Rank(less, equal, rule); got != w {
				t.Fatalf("%v: %v, want %v", rule, got, w)
			}
		}
	})
}
