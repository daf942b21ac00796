package y2017

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"descbench/eval/nearest"
)

// Keys blurred within their slack, many of them equal to a counterpart's.
func TestATallyCountsAsIfEveryKeyWereExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 200 {
		counterparts := make([]float64, 15)
		for i := range counterparts {
			counterparts[i] = float64(rng.IntN(12))
			if rng.IntN(10) == 0 {
				counterparts[i] = math.Inf(1)
			}
		}
		n := 1 + rng.IntN(400)
		cuts := []int{rng.IntN(n + 1), rng.IntN(n + 1), n, rng.IntN(n + 1)}
		slack := []float64{0, 0.4, 1.5}[rng.IntN(3)]
		keys, blurred, distractors := make([]float64, n), make([]float64, n), make([]Patch, n)
		for i := range keys {
			keys[i] = float64(rng.IntN(14))
			blurred[i] = keys[i] + slack*(2*rng.Float64()-1)
			if rng.IntN(20) == 0 {
				keys[i] = math.Inf(1)
				blurred[i] = math.Inf(1)
			}
			if slack > 0 && rng.IntN(20) == 0 {
				blurred[i] = math.NaN()
			}
			distractors[i].Sequence = uint16(rng.IntN(3))
		}
		tally := newTally(slices.Clone(counterparts), cuts, 1, distractors)
		var near []nearest.Near
		for row, key := range blurred {
			if !(key-slack > tally.limit()) || rng.IntN(2) == 0 { // a scan need not find the others
				near = append(near, nearest.Near{Row: row, D2: key})
			}
		}
		for some := range slices.Chunk(near, 1+rng.IntN(100)) {
			tally.count(some, slack, func(row int) float64 { return keys[row] })
		}
		tally.accumulate()
		for cut, end := range cuts {
			for noise := range 3 {
				var want []place
				for _, key := range counterparts[5*noise : 5*noise+5] {
					p := place{key: key}
					for i, d := range keys[:end] {
						if distractors[i].Sequence == 1 {
							continue
						}
						if d < key {
							p.less++
						} else if d == key {
							p.equal++
						}
					}
					if !math.IsInf(key, 1) {
						want = append(want, p)
					}
				}
				slices.SortStableFunc(want, func(a, b place) int { return int(a.key - b.key) })
				if got := tally.pool(noise, cut); !slices.Equal(got, want) {
					t.Fatalf("cut at %d, noise %d: got %v, want %v", end, noise, got, want)
				}
			}
		}
	}
}
