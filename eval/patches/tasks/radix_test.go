package tasks

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDistancesAreSortedAsByComparison(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 255, 256, 5000} {
		for name, draw := range map[string]func() float64{
			"few":      func() float64 { return float64(rng.IntN(5)) },
			"float32":  func() float64 { return float64(float32(rng.ExpFloat64())) },
			"any size": func() float64 { return math.Float64frombits(rng.Uint64N(math.Float64bits(math.Inf(1)) + 1)) },
			"equal":    func() float64 { return math.Inf(1) },
		} {
			v := make([]float64, n)
			for i := range v {
				v[i] = draw()
			}
			want := slices.Sorted(slices.Values(v))
			sortAscending(v, make([]float64, n))
			if !slices.Equal(v, want) {
				t.Errorf("%d values, %s: not in order", n, name)
			}
		}
	}
}
