package matching

import (
	"math"
	"testing"

	"descbench/eval/record"
)

// Tables of the Poisson distribution: P(X ≥ 1) = 1 − e^−λ, and with λ = 1,
// P(X ≥ 3) = 0.0803, P(X ≥ 5) = 0.00366, P(X ≥ 6) = 0.000594.
func TestPoissonTail(t *testing.T) {
	for _, c := range []struct {
		mean float64
		n    int32
		want float64
	}{{0, 0, 1}, {0, 1, 0}, {0.5, 0, 1}, {0.5, 1, 1 - math.Exp(-0.5)}, {1, 3, 0.0803}, {1, 5, 0.00366}, {1, 6, 0.000594}, {1, 1000, 0}} {
		if got := poissonTail(c.mean, c.n); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("mean %v: P(X ≥ %d) is %v, want %v", c.mean, c.n, got, c.want)
		}
	}
}

func TestFewCorrectMatchesAreToldFromChance(t *testing.T) {
	for _, c := range []struct {
		pair             record.Pair
		byChance, judged bool
	}{
		{record.Pair{Shared1: 900, KeypointsK: 1000, Repeated1: 50, CorrectSharedK: 0}, true, true},
		{record.Pair{Shared1: 900, KeypointsK: 1000, Repeated1: 50, CorrectSharedK: 1}, true, true}, // 5 %
		{record.Pair{Shared1: 900, KeypointsK: 1000, Repeated1: 50, CorrectSharedK: 3}, false, true},
		{record.Pair{Shared1: 900, KeypointsK: 1000, Repeated1: 1000, CorrectSharedK: 5}, true, true}, // 0.4 %
		{record.Pair{Shared1: 900, KeypointsK: 1000, Repeated1: 1000, CorrectSharedK: 6}, false, true},
		{record.Pair{Shared1: 99, KeypointsK: 1000}, false, false},
		{record.Pair{Shared1: 900, KeypointsK: 99}, false, false},
		{record.Pair{Shared1: 900, Invalid1: 850, KeypointsK: 1000}, false, false},
		{record.Pair{}, false, false},
	} {
		if byChance, judged := ByChance(&c.pair); byChance != c.byChance || judged != c.judged {
			t.Errorf("%+v: found %v, %v", c.pair, byChance, judged)
		}
	}
}
