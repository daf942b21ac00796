package binary

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/internal/radix"
	"descbench/eval/must"
)

func TestKeysHaveTheOrderOfTheirDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64().Draw(t, "a"), rapid.Float64().Draw(t, "b")
		if (radix.KeyOf(a) < radix.KeyOf(b)) != (a < b) || (radix.KeyOf(a) == radix.KeyOf(b)) != (a == b) {
			t.Fatalf("keys %x and %x", radix.KeyOf(a), radix.KeyOf(b))
		}
		if got := radix.KeyOf(a).Value(); got != a {
			t.Fatalf("%v comes back as %v", a, got)
		}
	})
	if radix.KeyOf(math.Copysign(0, -1)) != radix.KeyOf(0) {
		t.Error("the zeros differ")
	}
}

func TestDistancesThatAreNotFinitePanic(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Copysign(math.NaN(), -1), math.Inf(1), math.Inf(-1)} {
		for class, positive := range map[string]bool{"positives": true, "negatives": false} {
			var s Samples
			s.Add(positive, 1, bad, 2)
			s.Add(!positive, 1)
			must.Panic(t, fmt.Sprint(bad, " among ", class), func() { s.Curve() })
			var alone Samples
			alone.Add(positive, bad)
			must.Panic(t, fmt.Sprint(bad, " alone among ", class), func() { alone.Curve() })
		}
	}
}

func TestACurveOwnsItsSamples(t *testing.T) {
	var s Samples
	s.Add(true, 3, 1)
	s.Add(false, 2)
	c := s.Curve()
	if p, n := s.Len(); p != 0 || n != 0 {
		t.Errorf("%d and %d samples are left", p, n)
	}
	s.Add(true, 0)
	want := []Confusion{{math.Inf(-1), 0, 0, 2, 1}, {1, 1, 0, 1, 1}, {2, 1, 1, 1, 0}, {3, 2, 1, 0, 0}}
	if got := slices.Collect(c.Points()); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
