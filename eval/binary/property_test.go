package binary

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type labelled struct {
	distance float64
	positive bool
}

// drawSamples draws samples with many ties, of both classes if asked for.
func drawSamples(t *rapid.T, both bool) []labelled {
	distance := rapid.OneOf(
		rapid.Map(rapid.IntRange(-3, 6), func(i int) float64 { return float64(i) / 2 }),
		rapid.Float64Range(-4, 4),
	)
	var out []labelled
	if both {
		out = append(out, labelled{distance.Draw(t, "positive"), true}, labelled{distance.Draw(t, "negative"), false})
	}
	n := rapid.IntRange(0, 30).Draw(t, "n")
	for range n {
		out = append(out, labelled{distance.Draw(t, "distance"), rapid.Bool().Draw(t, "label")})
	}
	return out
}

func curveOfSamples(t rapid.TB, samples []labelled) *Curve {
	var s Samples
	for _, l := range samples {
		s.Add(l.positive, l.distance)
	}
	return s.Curve()
}

// classify counts by looking at every sample.
func classify(samples []labelled, threshold float64) Confusion {
	c := Confusion{Threshold: threshold}
	for _, l := range samples {
		switch yes := l.distance <= threshold; {
		case yes && l.positive:
			c.TP++
		case yes:
			c.FP++
		case l.positive:
			c.FN++
		default:
			c.TN++
		}
	}
	return c
}

// thresholds returns -Inf and the distances that occur.
func thresholds(samples []labelled) []float64 {
	out := []float64{math.Inf(-1)}
	for _, l := range samples {
		out = append(out, l.distance)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestPointsAreTheMatricesOfAllThresholds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t, false)
		c := curveOfSamples(t, samples)
		var want []Confusion
		for _, d := range thresholds(samples) {
			want = append(want, classify(samples, d))
		}
		if got := slices.Collect(c.Points()); !slices.Equal(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		for _, d := range []float64{rapid.Float64().Draw(t, "threshold"), math.Inf(1), -0.25} {
			if got, want := c.At(d), classify(samples, d); got != want {
				t.Fatalf("got %+v, want %+v", got, want)
			}
		}
	})
}
