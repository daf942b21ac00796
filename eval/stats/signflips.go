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
	sums := newSignedSums(differences)

	if n := len(differences); n <= exactScenes {
		count := 0
		var signs [1]uint64
		for signs[0] = range uint64(1) << n {
			if math.Abs(sums.at(signs[:])) >= limit {
				count++
			}
		}
		return math.Ldexp(float64(count), -n), true
	}
	count := 0
	stream := random.New(seed, "sign flips", len(differences))
	signs := make([]uint64, (len(differences)+63)/64)
	for range randomFlips {
		for i := range signs {
			signs[i] = stream.Uint64()
		}
		if math.Abs(sums.at(signs)) >= limit {
			count++
		}
	}
	return float64(1+count) / (1 + randomFlips), false
}

// signedSums holds the sums of every eight numbers under each sign pattern, so
// a sum under any pattern takes one addition per eight numbers.
type signedSums [][256]float64

func newSignedSums(values []float64) signedSums {
	out := make(signedSums, (len(values)+7)/8)
	for i := range out {
		for pattern := range out[i] {
			for bit, v := range values[8*i : min(8*i+8, len(values))] {
				if pattern>>bit&1 == 1 {
					v = -v
				}
				out[i][pattern] += v
			}
		}
	}
	return out
}

// at returns the sum in which number i is negated if bit i of signs is set.
func (s signedSums) at(signs []uint64) float64 {
	sum := 0.0
	for i := range s {
		sum += s[i][signs[i/8]>>(8*(i%8))&255]
	}
	return sum
}
