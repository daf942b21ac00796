package stats

import (
	"math"

	"descbench/eval/random"
)

const (
	exactScenes = 20
	randomFlips = 100_000
)

// signFlips returns the two-sided p-value of the sum of the differences among
// the sums with all sign patterns, and whether all patterns were enumerated.
func signFlips(seed uint64, differences []float64) (p float64, exact bool) {
	observed, magnitude := 0.0, 0.0
	for _, d := range differences {
		observed += d
		magnitude += math.Abs(d)
	}
	// Mathematically equal sums may be rounded differently.
	limit := math.Abs(observed) - 1e-9*magnitude

	count := 0
	if n := len(differences); n <= exactScenes {
		sums := make([]float64, 1, 1<<n) // with all signs of the differences so far
		for _, d := range differences {
			half := len(sums)
			sums = sums[:2*half]
			for i, sum := range sums[:half] {
				sums[i], sums[half+i] = sum+d, sum-d
			}
		}
		for _, sum := range sums {
			if math.Abs(sum) >= limit {
				count++
			}
		}
		return math.Ldexp(float64(count), -n), true
	}
	stream := random.New(seed, "sign flips", len(differences))
	for range randomFlips {
		sum, signs := 0.0, uint64(0)
		for i, d := range differences {
			if i%64 == 0 {
				signs = stream.Uint64()
			}
			sum += math.Float64frombits(math.Float64bits(d) ^ signs<<63) // negated if the lowest bit is set
			signs >>= 1
		}
		if math.Abs(sum) >= limit {
			count++
		}
	}
	return float64(1+count) / (1 + randomFlips), false
}
