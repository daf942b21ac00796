package stats

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/must"
	"descbench/eval/random"
)

func near(t rapid.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > tolerance {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// The values are those that testdata/golden.py prints.
func TestResamplesAndIntervalsAreThoseOfAnIndependentProgram(t *testing.T) {
	b := NewBootstrap(1, 5)
	for r, want := range map[int][]uint8{0: {2, 1, 0, 1, 1}, 1: {0, 0, 1, 3, 1}, 2: {1, 1, 0, 1, 2}, 9999: {1, 0, 2, 2, 0}} {
		if got := b.resample(r); !slices.Equal(got, want) {
			t.Errorf("resample %d: got %v, want %v", r, got, want)
		}
	}
	figures := []float64{0.31, 0.52, 0.44, 0.78, 0.6}
	first1000, err := b.Statistic(t.Context(), 2, func(times []uint8) float64 { return weighted(times, figures) / 5 })
	must.Do(t, err)
	for _, test := range []struct {
		what      string
		got, want Interval
	}{
		{"mean", b.Ratio(figures, ones(len(figures))), Interval{0.394, 0.676}},
		{"mean of the first 1000", first1000, Interval{0.388, 0.66}},
		{"ratio", b.Ratio([]float64{3.1, 10.4, 2.2, 7.8, 0.6}, []float64{10, 20, 5, 10, 1}), Interval{0.35555555555555557, 0.7037037037037037}},
	} {
		near(t, test.what+", low", test.got.Low, test.want.Low, 1e-14)
		near(t, test.what+", high", test.got.High, test.want.High, 1e-14)
	}
}

// Of the 5⁵ equally likely resamples all means are known.
func TestIntervalsComeNearThoseOfAllResamples(t *testing.T) {
	figures := []float64{0.31, 0.52, 0.44, 0.78, 0.6}
	var all []float64
	for code := range 5 * 5 * 5 * 5 * 5 {
		sum := 0.0
		for range 5 {
			sum += figures[code%5]
			code /= 5
		}
		all = append(all, sum/5)
	}
	want := percentiles(all, once(all))
	got := NewBootstrap(3, 5).Ratio(figures, ones(len(figures)))
	near(t, "low", got.Low, want.Low, 0.01)
	near(t, "high", got.High, want.High, 0.01)
}

func TestFewerThanTwoScenesHaveNoInterval(t *testing.T) {
	for n := range 2 {
		b := NewBootstrap(1, n)
		values := make([]float64, n)
		other, err := b.Statistic(t.Context(), 1, func([]uint8) float64 { return 1 })
		if err != nil {
			t.Error(err)
		}
		for what, i := range map[string]Interval{"mean": b.Ratio(values, ones(len(values))), "ratio": b.Ratio(values, values), "statistic": other} {
			near(t, what, i.Low, math.NaN(), 0)
			near(t, what, i.High, math.NaN(), 0)
		}
	}
}

func TestOnlyDefinedResamplesCount(t *testing.T) {
	b := NewBootstrap(1, 3)
	// Drawing the first scene three times has no denominator.
	got := b.Ratio([]float64{0, 1, 1}, []float64{0, 2, 2})
	near(t, "low", got.Low, 0.5, 0)
	near(t, "high", got.High, 0.5, 0)
	none, err := b.Statistic(t.Context(), 1, func([]uint8) float64 { return math.NaN() })
	if err != nil {
		t.Error(err)
	}
	near(t, "never defined", none.Low, math.NaN(), 0)
	near(t, "a scene without a figure", b.Ratio([]float64{1, math.NaN(), 2}, ones(3)).Low, math.NaN(), 0)
	near(t, "an infinite sum", b.Ratio([]float64{1, 2, 3}, []float64{1, math.Inf(1), 1}).Low, math.NaN(), 0)
	near(t, "an infinite figure", b.Ratio([]float64{1, math.Inf(-1), 2}, ones(3)).High, math.NaN(), 0)
}

func TestTheNumberOfWorkersDoesNotMatter(t *testing.T) {
	b := NewBootstrap(5, 20)
	figure := func(times []uint8) float64 {
		product := 1.0
		for i, n := range times {
			product += float64(n) * math.Sqrt(float64(i)) / product
		}
		return product
	}
	calls, different := 0, make(map[string]bool)
	want, err := b.Statistic(t.Context(), 1, func(times []uint8) float64 { calls++; return figure(times) })
	if err != nil || !(want.Low < want.High) {
		t.Fatal(want, err)
	}
	for r := range 1000 {
		different[string(b.resample(r))] = true
	}
	if calls != len(different) {
		t.Errorf("%d calls for %d different resamples", calls, len(different))
	}
	for _, jobs := range []int{0, 2, 7, 64} {
		if got, err := b.Statistic(t.Context(), jobs, figure); err != nil || got != want {
			t.Errorf("%d workers: got %v, error %v, want %v", jobs, got, err, want)
		}
	}
}

func TestAStatisticStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := NewBootstrap(5, 20).Statistic(ctx, 1, func([]uint8) float64 {
		calls++
		cancel()
		return 0
	})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%d calls, error %v", calls, err)
	}
}

func TestValuesOfOtherScenesPanic(t *testing.T) {
	b := NewBootstrap(1, 3)
	for what, f := range map[string]func(){
		"numerator":   func() { b.Ratio(make([]float64, 4), make([]float64, 3)) },
		"denominator": func() { b.Ratio(make([]float64, 3), nil) },
	} {
		must.Panic(t, what, f)
	}
}

// weighted returns Σ times × values.
func weighted(times []uint8, values []float64) float64 {
	sum := 0.0
	for i, n := range times {
		sum += float64(float64(n) * values[i])
	}
	return sum
}

// resample returns how often each scene was drawn in resample r.
func (b *Bootstrap) resample(r int) []uint8 { return b.patterns[b.of[r]] }

// Straight from the definition: one ratio per resample, all of them sorted. The
// interval has the same bits.
func TestIntervalsAreThoseOfSortedResamples(t *testing.T) {
	for _, scenes := range []int{2, 3, 5, 7, 40, 116, 300} {
		b := NewBootstrap(1, scenes)
		g := random.New(2, "ratios", scenes)
		numerators, counts, ones := make([]float64, scenes), make([]float64, scenes), make([]float64, scenes)
		for i := range numerators {
			numerators[i], counts[i], ones[i] = g.Float64()*100, float64(1+g.IntN(3)*g.IntN(500)), 5
		}
		for what, denominators := range map[string][]float64{"counts": counts, "equal counts": ones, "equal": slices.Repeat([]float64{0.1}, scenes), "any": numerators[scenes/2:]} {
			denominators = slices.Concat(denominators, ones)[:scenes]
			var all []float64
			for r := range Draws {
				if v := weighted(b.resample(r), numerators) / weighted(b.resample(r), denominators); !math.IsNaN(v) {
					all = append(all, v)
				}
			}
			slices.Sort(all)
			want := Interval{sortedQuantile(all, tail), sortedQuantile(all, 1-tail)}
			if got := b.Ratio(numerators, denominators); got != want {
				t.Errorf("%d scenes, %s: got %v, want %v", scenes, what, got, want)
			}
		}
	}
}

// once counts every value once.
func once(values []float64) []uint16 { return slices.Repeat([]uint16{1}, len(values)) }

func sortedQuantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	return sorted[i] + float64((at-float64(i))*(sorted[i+1]-sorted[i]))
}

func TestResamplesOfTheSizesUsedLastAreKept(t *testing.T) {
	first := Resamples(FewestScenes)
	for n := FewestScenes + 1; n < FewestScenes+2*keptSizes; n++ {
		if got := Resamples(n); got.scenes != n {
			t.Errorf("resamples of %d scenes, want %d", got.scenes, n)
		}
		for range 2 {
			if Resamples(FewestScenes) != first {
				t.Errorf("the resamples of the fewest scenes were drawn again although just used")
			}
		}
	}
	if len(kept.last) != keptSizes {
		t.Errorf("%d sizes kept, want %d", len(kept.last), keptSizes)
	}
}
