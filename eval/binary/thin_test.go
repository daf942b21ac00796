package binary

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestAThinCurveKeepsItsEndsAndPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := curveOfSamples(t, drawSamples(t, rapid.Bool().Draw(t, "both")))
		all := slices.Collect(c.Points())
		n := rapid.IntRange(2, 12).Draw(t, "n")
		thin := c.Thin(n)
		if len(thin) > n || len(all) <= n && len(thin) != len(all) {
			t.Fatalf("%d of %d points for %d", len(thin), len(all), n)
		}
		if m := max(len(all), 2); len(c.Thin(m)) != len(all) {
			t.Fatalf("not all %d points for %d", len(all), m)
		}
		if thin[0] != all[0] || thin[len(thin)-1] != all[len(all)-1] {
			t.Fatalf("from %+v to %+v, want from %+v to %+v", thin[0], thin[len(thin)-1], all[0], all[len(all)-1])
		}
		for _, p := range thin {
			if !slices.Contains(all, p) {
				t.Fatalf("%+v is no point of the curve", p)
			}
		}
	})
}

func TestAThinCurveHasNoGaps(t *testing.T) {
	c := curveOf(t, spread(1000, 0), spread(3000, 300))
	thin := c.Thin(101)
	for i := range thin[1:] {
		a, b := thin[i], thin[i+1]
		if gap := b.TruePositiveRate() + b.FalsePositiveRate() - a.TruePositiveRate() - a.FalsePositiveRate(); gap > 0.0215 {
			t.Errorf("gap of %v at %v, want 2/100 and at most one step more", gap, a.Threshold)
		}
	}
	if len(thin) < 95 {
		t.Errorf("%d points, want about 101", len(thin))
	}
}
