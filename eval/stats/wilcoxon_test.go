package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func wilcoxon(t rapid.TB, differences []float64) SignedRank {
	t.Helper()
	s, err := Wilcoxon(differences, make([]float64, len(differences)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Hollander and Wolfe, Nonparametric Statistical Methods, 1973, p. 29 f.:
// depression scale of nine patients at two visits. R's manual of wilcox.test has
// V = 40 with a one-sided p of 0.01953 (10/512). The large-sample form is worked
// out on paper: the mean is 22.5, the variance 9·10·19/24 = 71.25.
func TestWilcoxonOfHollanderAndWolfe(t *testing.T) {
	first := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	second := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	s, err := Wilcoxon(first, second)
	if err != nil {
		t.Fatal(err)
	}
	if want := (SignedRank{Differing: 9, Statistic: 40, P: 20. / 512, Exact: true}); s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
	near(t, "large-sample form", normalSignedRank(doubledRanks(9), 80), math.Erfc((40-22.5-0.5)/math.Sqrt(2*71.25)), 1e-15)
}

// Differences in height of cross- and self-fertilised maize (Darwin), as in
// SciPy's manual of wilcoxon: statistic 24 (that of the negative ranks, so that
// the positive have 120-24), p 0.041259765625.
func TestWilcoxonOfDarwinsMaize(t *testing.T) {
	s := wilcoxon(t, []float64{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75})
	if want := (SignedRank{Differing: 15, Statistic: 96, P: 0.041259765625, Exact: true}); s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
}

// Ten pairs with ties and a zero, worked out on paper: the differences 5, 5 have
// ranks 1½, then 7, 9, 10, 12, 15, 17, 20 have 3 to 9; the positive ones 5, 5,
// 15, 17, 20 sum to 27. 324 of the 512 sign patterns are at least 4½ from the mean
// of 22½, counted by a separate program with fractions.
func TestWilcoxonWithTiesAndAZero(t *testing.T) {
	s := wilcoxon(t, []float64{15, -7, 5, 20, 0, -9, 17, -12, 5, -10})
	if want := (SignedRank{Differing: 9, Statistic: 27, P: 324. / 512, Exact: true}); s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
}

func TestFiveTiedDifferencesAreNotSignificant(t *testing.T) {
	// All five signs agree with probability 2/2⁵, whatever the magnitudes.
	for _, differences := range [][]float64{{1, 1, 1, 1, 1}, {3, 3, 3, 1, 2}, {-2, -2, -4, -4, -8}} {
		if s := wilcoxon(t, differences); s.P != 0.0625 || !s.Exact {
			t.Errorf("%v: got %+v, want p 0.0625", differences, s)
		}
	}
}

func TestDifferencesThatRoundingSplitsAreTied(t *testing.T) {
	s, err := Wilcoxon([]float64{0.3, 0.2, 0.9}, []float64{0.2, 0.1, 1.2})
	if err != nil {
		t.Fatal(err)
	}
	if s.Statistic != 3 {
		t.Errorf("got %+v, want ranks 1½, 1½, 3", s)
	}
}

// Differences from 1e-6 on keep their ranks, however close: of ranks 1, 2 and 3, 1 and 3
// are positive, and six of the eight sums of signs are at least 1 from their mean of 3.
func TestSmallDifferencesHaveRanks(t *testing.T) {
	for _, test := range []struct {
		differences []float64
		want        SignedRank
	}{
		{[]float64{1e-6, -1.02e-6, 0.98e-6, 5e-6}, SignedRank{Differing: 3, Statistic: 4, P: 6. / 8, Exact: true}},
		{[]float64{0.5}, SignedRank{Differing: 1, Statistic: 1, P: 1, Exact: true}},
	} {
		if s := wilcoxon(t, test.differences); s != test.want {
			t.Errorf("%v: got %+v, want %+v", test.differences, s, test.want)
		}
	}
}

func TestWilcoxonOfScenesThatDoNotDiffer(t *testing.T) {
	for _, differences := range [][]float64{nil, {0, 1e-7}} {
		if s := wilcoxon(t, differences); s != (SignedRank{P: 1, Exact: true}) {
			t.Errorf("got %+v", s)
		}
	}
}

func TestExactSignedRanksAreThoseOfAllSigns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "n")
		// Up to twice as many values as differences: some are equal, some are not.
		magnitudes := rapid.SliceOfN(rapid.IntRange(1, 2*n), n, n).Draw(t, "magnitudes")
		signs := rapid.IntRange(0, 1<<n-1).Draw(t, "signs")
		var differences, ranks []float64
		for i, m := range magnitudes {
			d, rank := float64(m), 0.5
			for _, other := range magnitudes { // mean rank: those below, and half of those equal
				switch {
				case other < m:
					rank++
				case other == m:
					rank += 0.5
				}
			}
			if signs>>i&1 == 1 {
				d = -d
			}
			differences, ranks = append(differences, d), append(ranks, rank)
		}
		s := wilcoxon(t, differences)
		// By hand: how far the positive ranks are from half of all, for all signs.
		centre := float64(n*(n+1)) / 4
		count := 0
		for pattern := range 1 << n {
			sum := 0.0
			for i, r := range ranks {
				if pattern>>i&1 == 1 {
					sum += r
				}
			}
			if math.Abs(sum-centre) >= math.Abs(s.Statistic-centre) {
				count++
			}
		}
		if want := math.Ldexp(float64(count), -n); !s.Exact || s.P != want {
			t.Fatalf("got %+v, want p %v", s, want)
		}
	})
}

func ranks(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i + 1)
	}
	return out
}

func doubledRanks(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 2 * (i + 1)
	}
	return out
}

func TestManyScenesAreTestedByTheNormalDistribution(t *testing.T) {
	fifty, fiftyOne := ranks(50), ranks(51)
	for i := 0; i < 50; i += 3 {
		fifty[i], fiftyOne[i] = -fifty[i], -fiftyOne[i]
	}
	exact, normal := wilcoxon(t, fifty), wilcoxon(t, fiftyOne)
	if !exact.Exact || normal.Exact {
		t.Errorf("got %+v of 50 and %+v of 51 scenes", exact, normal)
	}
	near(t, "normal form of 50", normalSignedRank(doubledRanks(50), int(2*exact.Statistic)), exact.P, 0.002)
}

// Worked out on paper for 60 differences of 1, 20 of them negative: all ranks are
// 30½, so the sum 40·30½ is 305 above its mean, and the variance is 60·30½²/4.
func TestTheNormalFormCorrectsForTiesAndContinuity(t *testing.T) {
	differences := make([]float64, 60)
	for i := range differences {
		differences[i] = 1
		if i < 20 {
			differences[i] = -1
		}
	}
	s := wilcoxon(t, differences)
	near(t, "p", s.P, math.Erfc((305-0.5)/math.Sqrt(2*60*30.5*30.5/4)), 1e-15)
	for i := range differences {
		differences[i] = float64(1 - 2*(i%2)) // the sum is its mean
	}
	near(t, "p without a difference", wilcoxon(t, differences).P, 1, 0)
}
