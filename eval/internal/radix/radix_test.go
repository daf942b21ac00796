package radix

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestKeysAreSortedAsByComparison(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 2, fewKeys - 1, fewKeys, 5000} {
		for name, draw := range map[string]func() uint64{
			"few":     func() uint64 { return uint64(rng.IntN(5)) },
			"float32": func() uint64 { return math.Float64bits(float64(float32(rng.ExpFloat64()))) },
			"any":     rng.Uint64,
			"equal":   func() uint64 { return math.MaxUint64 },
		} {
			keys, tags, order := make([]uint64, n), make([]uint32, n), make([]uint32, n)
			for i := range keys {
				keys[i], tags[i], order[i] = draw(), uint32(i), uint32(i)
			}
			slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(keys[a], keys[b]) })
			want := slices.Sorted(slices.Values(keys))
			alone := slices.Clone(keys)
			Sort(alone, make([]uint64, n+3))
			SortTagged(keys, make([]uint64, n+3), tags, make([]uint32, n+3))
			if !slices.Equal(alone, want) || !slices.Equal(keys, want) || !slices.Equal(tags, order) {
				t.Errorf("%d keys, %s: not in order", n, name)
			}
		}
	}
}
