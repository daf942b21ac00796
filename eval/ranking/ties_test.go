package ranking

import (
	"math"
	"testing"
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
