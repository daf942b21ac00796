package synth

import (
	"math"
	"testing"
)

func TestMixIsSplitMix64(t *testing.T) {
	// The first outputs of SplitMix64 seeded with 0, as published with the
	// reference implementation (prng.di.unimi.it/splitmix64.c).
	const golden = 0x9e3779b97f4a7c15
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if got := mix(uint64(i) * golden & math.MaxUint64); got != want {
			t.Errorf("output %d is %#x, want %#x", i, got, want)
		}
	}
}

func TestStreamsOfDifferentKeysDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(4) {
		for scene := range 4 {
			for image := range 6 {
				for p := forTexture; p <= forNoise; p++ {
					first := newStream(seed, scene, image, p).bits()
					if _, twice := seen[first]; twice {
						t.Fatalf("seed %d scene %d image %d purpose %d draws as another key does", seed, scene, image, p)
					}
					seen[first] = ""
				}
			}
		}
	}
}

func TestDrawsHaveTheirStatedDistribution(t *testing.T) {
	s := newStream(1, 2, 3, forNoise)
	const n = 200_000
	var mean, variance, inside float64
	counts := make([]int, 7)
	for range n {
		b := s.bell()
		mean += b / n
		variance += b * b / n
		if math.Abs(b) < 1 {
			inside += 1.0 / n
		}
		counts[s.intN(7)]++
	}
	// Five standard errors of n draws; a standard normal has 68 % within 1,
	// the sum of four uniform ones 66 % (its cubic density, integrated).
	if math.Abs(mean) > 5/math.Sqrt(n) || math.Abs(variance-1) > 0.02 {
		t.Errorf("bell has mean %.4f and variance %.4f, want 0 and 1", mean, variance)
	}
	if inside < 0.65 || inside > 0.69 {
		t.Errorf("bell lies within one deviation with probability %.3f, want about 2/3", inside)
	}
	for i, c := range counts {
		if math.Abs(float64(c)-n/7.0) > 5*math.Sqrt(n/7.0) {
			t.Errorf("intN(7) gave %d %d times of %d", i, c, n)
		}
	}
}
