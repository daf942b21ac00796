package stats

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"descbench/eval/must"
)

// against returns figures of two descriptors with these differences.
func against(differences []float64) (first, second []float64) {
	second = make([]float64, len(differences))
	for i := range second {
		second[i] = 0.25
		first = append(first, 0.25+differences[i])
	}
	return first, second
}

// The p-values are counts out of all sign patterns, written down by hand; with
// differences 3, 1, -1, for example, the sums are ±5, ±3, ±3, ±1, and six of
// eight are at least 3 from 0.
func TestExactPValuesOfFewScenes(t *testing.T) {
	for _, test := range []struct {
		differences []float64
		p           float64
	}{
		{[]float64{2}, 1},
		{[]float64{1, 2, 3}, 2. / 8},
		{[]float64{-1, -2, -3}, 2. / 8},
		{[]float64{1, 2, -3}, 1},
		{[]float64{3, 1, -1}, 6. / 8},
		{[]float64{1, 2, 4, 8}, 2. / 16},
		{[]float64{-1, 2, 4, 8}, 4. / 16},
		{[]float64{1, 2, 3, -1}, 6. / 16},
		{[]float64{0.1, 0.2, -0.3, 0.3}, 12. / 16}, // in tenths ±9, ±7, ±5, three times ±3, twice ±1
		{[]float64{1, 0, 2, 3, 1e-7, -1e-7}, 2. / 8},
		{[]float64{2e-6, 4e-6, 8e-6}, 2. / 8},
		{[]float64{0, 0, 0}, 1},
		{[]float64{9e-7, 9e-7, 9e-7, 9e-7, 9e-7, 9e-7}, 1},
	} {
		first, second := against(test.differences)
		c := must.Get(compareSingly(first, second))(t)
		if !c.Exact || c.P != test.p {
			t.Errorf("%v: p %v, exact %v, want %v", test.differences, c.P, c.Exact, test.p)
		}
	}
}

// differences24 and the values below are those of testdata/golden.py.
var differences24 = []float64{3, -1, 4, 1, -5, 9, 2, 6, -5, 3, 5, 8, -9, 7, 9, 3, -2, 3, 8, 4, -6, 2, 6, 4}

func TestPValuesAreThoseOfAnIndependentProgram(t *testing.T) {
	if p, exact := signFlips(1, differences24[:20]); !exact || p != 34366./(1<<20) {
		t.Errorf("20 scenes: got %v, exact %v", p, exact)
	}
	p, exact := signFlips(7, differences24)
	if exact {
		t.Error("24 scenes are exact")
	}
	near(t, "24 scenes", p, 0.025879741202587975, 1e-15)
	c, err := compareSingly(against(differences24))
	if near(t, "24 scenes, compared", c.P, 0.026359736402635975, 1e-15); err != nil {
		t.Error(err)
	}
	roots := make([]float64, 24)
	for i := range roots {
		roots[i] = math.Sqrt(float64(i))
	}
	if got, want := Resamples(24).Ratio(roots, ones(len(roots))), NewBootstrap(1, 24).Ratio(roots, ones(len(roots))); got != want {
		t.Errorf("interval %v, want that of seed 1, %v", got, want)
	}
	for n, want := range map[int]float64{64: 0.02220977790222098, 70: 0.05118948810511895} {
		p, _ := signFlips(1, seventy()[:n])
		near(t, strconv.Itoa(n)+" scenes", p, want, 1e-15)
	}
}

// seventy returns differences that differ little in the mean.
func seventy() []float64 {
	out := slices.Repeat(differences24, 3)[:70]
	for i := range out {
		if i%3 == 0 {
			out[i] = -out[i]
		}
	}
	return out
}

// A share of 100 000 has a standard error of √(p(1-p)/100 000).
func TestRandomFlipsComeNearAllFlips(t *testing.T) {
	for _, test := range []struct {
		differences []float64
		want        float64
	}{{differences24, 0.026450514793395996}, {seventy(), 0.0515733364243661}} {
		for seed := range uint64(5) {
			p, _ := signFlips(seed, test.differences)
			near(t, strconv.Itoa(len(test.differences))+" scenes", p, test.want, 4.5*math.Sqrt(test.want*(1-test.want)/randomFlips))
		}
	}
}

// All differences having one sign, only the opposite pattern gets as far: 2/2ⁿ, or
// 1/100 001 if no random pattern is one of the two. Differences that add up to 0 are
// never larger than with other signs.
func TestTheSmallestAndTheLargestP(t *testing.T) {
	for _, n := range []int{0, 1, 2, 6, 19, 20, 21, 22, 64, 65, 116} {
		p, exact := signFlips(1, slices.Repeat([]float64{1}, n))
		if want := SmallestP(n); p != want || exact != (n <= 20) {
			t.Errorf("%d scenes: p %v, exact %v, want %v", n, p, exact, want)
		}
	}
	if p, _ := signFlips(1, slices.Repeat([]float64{1, -1}, 20)); p != 1 {
		t.Errorf("without a difference in the mean: p %v, want 1", p)
	}
}

func TestAComparisonInFigures(t *testing.T) {
	c := must.Get(compareSingly([]float64{0.5, 0.7, 0.9, 0.4, 0.55}, []float64{0.4, 0.5, 0.6, 0.4 + 1e-9, 0.4}))(t)
	near(t, "difference", c.Difference, 0.15, 1e-9)
	// Deviations from 0.15 are ∓0.05, 0.05, 0.15, -0.15, 0: variance 0.05/4.
	near(t, "effect size", c.EffectSize, 0.15/math.Sqrt(0.05/4), 1e-7)
	if c.Scenes != 5 || c.Wins != 4 || c.Ties != 1 || c.Losses != 0 {
		t.Errorf("got %+v", c)
	}
	want := NewBootstrap(1, 5).Ratio([]float64{0.1, 0.2, 0.3, 0, 0.15}, ones(5))
	near(t, "low", c.Interval.Low, want.Low, 1e-8)
	near(t, "high", c.Interval.High, want.High, 1e-8)
}

func TestUndefinedFiguresOfAComparisonAreNaN(t *testing.T) {
	none := must.Get(compareSingly(nil, nil))(t)
	one := must.Get(compareSingly([]float64{1}, []float64{2}))(t)
	// 0.3-0.2 and 0.2-0.1 differ by rounding alone.
	same := must.Get(compareSingly([]float64{0.3, 0.2}, []float64{0.2, 0.1}))(t)
	for what, v := range map[string]float64{
		"difference of none": none.Difference, "p of none": none.P, "effect of none": none.EffectSize, "interval of none": none.Interval.Low,
		"effect of one": one.EffectSize, "interval of one": one.Interval.High, "effect of equal differences": same.EffectSize,
	} {
		near(t, what, v, math.NaN(), 0)
	}
}

// PROTOCOLS, comparisons: below 1e-6 is rounding.
func TestEffectsOfNegligibleSpreadAreUndefined(t *testing.T) {
	for d, want := range map[float64]float64{0.98e-6: math.NaN(), 1e-6: 0, 1.02e-6: 0} {
		near(t, "effect size", effectSize([]float64{d, -d}), want, 0)
	}
}

func TestFiguresThatCannotBePairedAreErrors(t *testing.T) {
	for _, test := range []struct {
		first, second []float64
		want          string
	}{
		{[]float64{1, 2}, []float64{1}, "values for 2 and 1 scenes, want the same scenes"},
		{[]float64{1, math.NaN()}, []float64{1, 2}, "values NaN and 2 for scene 1, want finite numbers"},
		{[]float64{1}, []float64{math.Inf(1)}, "values 1 and +Inf for scene 0, want finite numbers"},
	} {
		_, err := compareSingly(test.first, test.second)
		must.Fail(t, err, test.want)
	}
}

// The second example is that of p.adjust in R's manual of Holm's method: the
// k-th smallest of m is multiplied by m-k+1, and none gets below the one before.
func TestHolmWorkedOutOnPaper(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct{ p, want []float64 }{
		{nil, nil},
		{[]float64{0.03}, []float64{0.03}},
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.5, 0.6, 0.9}, []float64{1, 1, 1}},
		{[]float64{0.02, 0.02}, []float64{0.04, 0.04}},
		{[]float64{nan, 0.01, nan, 0.04}, []float64{nan, 0.02, nan, 0.04}},
	} {
		given := slices.Clone(test.p)
		got := Holm(given)
		if len(got) != len(test.want) {
			t.Fatalf("%v: got %v", test.p, got)
		}
		for i, want := range test.want {
			near(t, "adjusted", got[i], want, 1e-15)
			near(t, "given", given[i], test.p[i], 0)
		}
	}
}

// PROTOCOLS, comparisons: a difference below 1e-6 is a tie.
func TestDifferencesBelowAMillionthAreTies(t *testing.T) {
	c, err := compareSingly([]float64{1.02e-6, 1e-6, 0.98e-6, 0, 0, 0.5}, []float64{0, 0, 0, 0, 1.02e-6, 0})
	if err != nil || c.Wins != 3 || c.Ties != 2 || c.Losses != 1 {
		t.Errorf("%d wins, %d ties, %d losses, %v; want 3, 2, 1", c.Wins, c.Ties, c.Losses, err)
	}
}

// compareSingly compares scenes of which none are drawn together.
func compareSingly(first, second []float64) (Comparison, error) {
	groups := make([]string, len(first))
	for i := range groups {
		groups[i] = strconv.Itoa(i)
	}
	return Compare(first, second, Cluster(groups))
}

// Seven places of two pairs each: with both pairs of a place alike, the test has the p of seven
// scenes, 2/2⁷, and the interval is that of the seven. With five places, pairs are drawn.
func TestPairsOfAPlaceAreOneObservation(t *testing.T) {
	places := []float64{0.1, 0.2, 0.3, 0.05, 0.4, 0.15, 0.25}
	var first, second []float64
	var groups []string
	for i, d := range places {
		first, second, groups = append(first, d, d), append(second, 0, 0), append(groups, strconv.Itoa(i), strconv.Itoa(i))
	}
	grouped := must.Get(Compare(first, second, Cluster(groups)))(t)
	if want := must.Get(compareSingly(places, make([]float64, 7)))(t); grouped.P != 1./64 || grouped.Interval != want.Interval || grouped.Clusters != 7 || grouped.Wins != 14 {
		t.Errorf("got %+v, want p 1/64 and the interval %v", grouped, want.Interval)
	}
	if few := Cluster(groups[:10]); few.Len() != 10 || few.Of(9) != 9 {
		t.Errorf("five groups give %d clusters, want each pair", few.Len())
	}
	c := Cluster(groups)
	if times := c.Times([]uint8{0, 3, 1, 1, 1, 1, 0}); times[1] != 0 || times[2] != 3 || times[3] != 3 || times[13] != 0 {
		t.Errorf("drawn %v", times)
	}
}

// The sample 1, 2, 4, 9 has the mean 4 and the squares 9 + 4 + 0 + 25 = 38 about it.
func TestDeviationIsThatOfASample(t *testing.T) {
	near(t, "deviation", Deviation([]float64{1, 2, 4, 9}), math.Sqrt(38./3), 1e-12)
}
