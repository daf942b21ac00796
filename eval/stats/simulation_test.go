package stats

import (
	"math"
	"testing"

	"descbench/eval/must"
	"descbench/eval/random"
)

// normal draws from the standard normal distribution (Box and Muller).
func normal(s *random.Stream) float64 {
	return math.Sqrt(-2*math.Log(1-s.Float64())) * math.Cos(2*math.Pi*s.Float64())
}

// drawn returns how often to simulate.
func drawn(full int) int {
	if testing.Short() {
		return full / 5
	}
	return full
}

// within fails unless a share of n is between two bounds, with 2.5 standard
// errors of the shares that n is short of the full number.
func within(t *testing.T, what string, hits, n, full int, low, high float64) {
	t.Helper()
	share := float64(hits) / float64(n)
	t.Logf("%s: %.2f %% of %d", what, 100*share, n)
	slack := 2.5 * math.Sqrt(low*(1-low)) * (1/math.Sqrt(float64(n)) - 1/math.Sqrt(float64(full)))
	if share < low-slack || share > high+slack {
		t.Errorf("%s: %.2f %% of %d, want %.0f to %.0f %%", what, 100*share, n, 100*low, 100*high)
	}
}

// Scenes have figures of their own and differ in their number of queries; the
// true mean over scenes is E[u²] = 1/3, that over queries, of which better scenes
// have more, E[u²(1+u)]/E[1+u] = (1/3 + 1/4)/(3/2) = 7/18.
func TestIntervalsCoverTheTruthAsOftenAsTheySay(t *testing.T) {
	const scenes, full = 40, 500
	b := NewBootstrap(11, scenes)
	n := drawn(full)
	means, ratios := 0, 0
	for simulation := range n {
		s := random.New(1, "coverage", simulation)
		figures, sums, queries := make([]float64, scenes), make([]float64, scenes), make([]float64, scenes)
		for i := range figures {
			u := s.Float64()
			figures[i] = u * u // mean 1/3
			queries[i] = 100 * (1 + u)
			sums[i] = figures[i] * queries[i]
		}
		if in := b.Ratio(figures, ones(len(figures))); in.Low <= 1./3 && 1./3 <= in.High {
			means++
		}
		if in := b.Ratio(sums, queries); in.Low <= 7./18 && 7./18 <= in.High {
			ratios++
		}
	}
	within(t, "mean over scenes is in its interval", means, n, full, 0.92, 0.98)
	within(t, "mean over queries is in its interval", ratios, n, full, 0.92, 0.98)
}

// Two descriptors that do not differ, over scenes that are easy or hard for both.
func TestTheFalsePositiveRateIsTheLevel(t *testing.T) {
	for _, test := range []struct {
		what         string
		scenes, full int
	}{{"exact, 10 scenes", 10, 4000}, {"random, 30 scenes", 30, 1500}} {
		n := drawn(test.full)
		positives := 0
		for simulation := range n {
			s := random.New(2, "null", test.scenes, simulation)
			first, second := make([]float64, test.scenes), make([]float64, test.scenes)
			for i := range first {
				scene, spread := s.Float64(), 0.02+0.1*s.Float64()
				first[i] = scene + spread*normal(s)
				second[i] = scene + spread*normal(s)
			}
			differences := must.Get(subtract(first, second))(t)
			if p, _ := signFlips(uint64(simulation), differences); p <= 0.05 {
				positives++
			}
		}
		within(t, test.what+": p up to 0.05 without a difference", positives, n, test.full, 0.03, 0.07)
	}
}
