package binary

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/random"
)

// counted returns the counts of every positive by comparing it with all others.
func counted(samples []labelled) []PositiveCounts {
	var out []PositiveCounts
	for _, p := range samples {
		if !p.positive {
			continue
		}
		c := PositiveCounts{Equal: -1} // itself
		for _, other := range samples {
			switch {
			case other.distance < p.distance:
				c.Nearer++
			case other.distance == p.distance:
				c.Equal++
			}
		}
		out = append(out, c)
	}
	return out
}

func TestAveragePrecisionFromCountsIsThatOfTheList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t, true)
		want := curveOfSamples(t, samples).Summary().AveragePrecision
		counts := rapid.Permutation(counted(samples)).Draw(t, "order")
		got, err := AveragePrecisionFromCounts(counts)
		if err != nil || math.Abs(got-want) > 1e-13 {
			t.Fatalf("%v: got %v, error %v, want %v", counts, got, err, want)
		}
	})
}

func TestOnePositiveScoresTheInverseOfItsLastPossibleRank(t *testing.T) {
	for counts, want := range map[PositiveCounts]float64{{0, 0}: 1, {3, 0}: 1. / 4, {3, 4}: 1. / 8} {
		got, err := AveragePrecisionFromCounts([]PositiveCounts{counts})
		if err != nil {
			t.Error(err)
		}
		near(t, "average precision", got, want)
	}
	got, err := AveragePrecisionFromCounts(nil)
	if err != nil {
		t.Error(err)
	}
	near(t, "of no positives", got, math.NaN())
}

func TestImpossibleCountsAreErrors(t *testing.T) {
	for what, counts := range map[string][]PositiveCounts{
		"two positives nearest, each alone":    {{0, 0}, {0, 0}},
		"a negative count":                     {{-1, 0}},
		"a negative count of equals":           {{0, -1}},
		"ties of which one is nearer":          {{0, 2}, {1, 2}},
		"as many nearer, but not as many ties": {{0, 1}, {0, 2}},
	} {
		if got, err := AveragePrecisionFromCounts(counts); err == nil {
			t.Errorf("%s: got %v", what, got)
		}
	}
	_, err := AveragePrecisionFromCounts([]PositiveCounts{{1, 1}, {2, 0}})
	want := "1 positives with 2 samples nearer and 0 as near, behind 1 positives that end at 3: no samples have such counts"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// scenes draws samples of several scenes.
func drawScenes(t *rapid.T) [][]labelled {
	scenes := make([][]labelled, rapid.IntRange(1, 5).Draw(t, "scenes"))
	for i := range scenes {
		scenes[i] = drawSamples(t, false)
	}
	return scenes
}

func TestAPoolScoresLikeTheSamplesOfItsScenesRepeated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scenes := drawScenes(t)
		var curves []*Curve
		var times []int32
		var repeated []labelled
		for _, s := range scenes {
			curves = append(curves, curveOfSamples(t, s))
			n := rapid.Int32Range(0, 3).Draw(t, "times")
			times = append(times, n)
			repeated = append(repeated, slices.Repeat(s, int(n))...)
		}
		want := curveOfSamples(t, repeated).Summary()
		pool := NewPool(curves)
		for what, v := range map[string][2]float64{
			"AP":  {pool.AveragePrecision(times), want.AveragePrecision},
			"AUC": {pool.ROCAUC(times), want.ROCAUC},
		} {
			if math.IsNaN(v[0]) != math.IsNaN(v[1]) || math.Abs(v[0]-v[1]) > 1e-13 {
				t.Fatalf("%s: got %v, want %v", what, v[0], v[1])
			}
		}
	})
}

func randomSamples(seed uint64, positives, negatives int) *Samples {
	var s Samples
	g := random.New(seed, "samples")
	for range positives {
		s.Add(true, g.Float64())
	}
	for range negatives {
		s.Add(false, g.Float64()+0.2)
	}
	return &s
}

func BenchmarkSummaryOf5MillionSamples(b *testing.B) {
	given := randomSamples(1, 2_500_000, 2_500_000)
	b.ReportAllocs()
	for b.Loop() {
		var s Samples
		s.Merge(given)
		c, err := s.Curve()
		if err != nil {
			b.Fatal(err)
		}
		if auc := c.Summary().ROCAUC; !(auc > 0.6) {
			b.Fatal(auc)
		}
	}
}

// A verification task over 116 scenes with 10 000 samples each, resampled once.
func BenchmarkPoolOf1160000Samples(b *testing.B) {
	var curves []*Curve
	var times []int32
	for i := range 116 {
		c, err := randomSamples(uint64(i), 4000, 6000).Curve()
		if err != nil {
			b.Fatal(err)
		}
		curves = append(curves, c)
		times = append(times, int32(i%3))
	}
	pool := NewPool(curves)
	b.Run("AveragePrecision", func(b *testing.B) {
		for b.Loop() {
			pool.AveragePrecision(times)
		}
	})
	b.Run("ROCAUC", func(b *testing.B) {
		for b.Loop() {
			pool.ROCAUC(times)
		}
	})
}
