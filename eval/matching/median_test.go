package matching

import (
	"math"
	"testing"
)

// numpy.median of the values repeated as often as their scene occurs.
func TestTheMedianIsThatOfThePairsAsOftenAsTheirSceneOccurs(t *testing.T) {
	values := PairValues{{0, 0.1}, {1, 0.2}, {0, 0.5}, {2, 0.9}}
	for _, c := range []struct {
		times []uint8
		want  float64
	}{
		{nil, 0.35},
		{[]uint8{1, 1, 0}, 0.2},  // 0.1 0.2 0.5
		{[]uint8{0, 0, 3}, 0.9},  // 0.9 0.9 0.9
		{[]uint8{0, 2, 2}, 0.55}, // 0.2 0.2 0.9 0.9
		{[]uint8{2, 1, 0}, 0.2},  // 0.1 0.1 0.2 0.5 0.5
		{[]uint8{0, 0, 0}, math.NaN()},
	} {
		if got := values.Median(c.times); math.Abs(got-c.want) > 1e-15 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("%v: %v, want %v", c.times, got, c.want)
		}
	}
}
