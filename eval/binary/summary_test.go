package binary

import (
	"math"
	"slices"
	"testing"

	"descbench/eval/must"
	"descbench/eval/stats"
)

func curveOf(t testing.TB, positives, negatives []float64) *Curve {
	t.Helper()
	var s Samples
	s.Add(true, positives...)
	s.Add(false, negatives...)
	return s.Curve()
}

// An example worked out on paper: a tie at 2, and a positive behind all
// negatives. Threshold, TP, FP: (1, 1, 0), (2, 2, 1), (3, 2, 2), (4, 3, 2).
func workedExample(t testing.TB) *Curve {
	return curveOf(t, []float64{4, 1, 2}, []float64{3, 2})
}

func TestFiguresOfTheWorkedExample(t *testing.T) {
	s := workedExample(t).Summary()
	metrics := s.Metrics("all", stats.NoInterval(), stats.NoInterval())
	for i, want := range []struct {
		name  string
		value float64
		n     int
	}{
		{"roc_auc", 7. / 12, 5}, // 2 + 1½ + 0 of 6 pairs
		{"eer", 2. / 5, 5},      // from (0, 2/3) to (1/2, 1/3)
		{"fpr95", 1, 2},         // all three positives need threshold 4
		{"average_precision", (1 + 2./3 + 3./5) / 3, 3},
		{"pr_auc_trapezoid", (1 + 5./6 + 11./20) / 3, 3},
		// From (1, 0) to (2, 1): ∫ x/(2x-1) = ½ + ¼ ln 3; from (2, 2) to (3, 2): ∫ x/(x+2) = 1 - 2 ln 5/4.
		{"pr_auc_interpolated", (2.5 + math.Log(3)/4 - 2*math.Log(1.25)) / 3, 3},
		{"best_youden_j", 1. / 3, 5}, {"best_accuracy", 3. / 5, 5},
	} {
		if i >= len(metrics) || metrics[i].Name != want.name || metrics[i].N != want.n || metrics[i].Scope != "all" {
			t.Fatalf("metric %d of %+v, want %+v", i, metrics, want)
		}
		near(t, want.name, metrics[i].Value, want.value)
	}
	for _, test := range []struct {
		what      string
		got, want Confusion
	}{
		{"greatest J, 1/3", s.Youden, Confusion{1, 1, 0, 2, 2}},
		{"greatest accuracy, 3/5 at 1, 2 and 4", s.BestAccuracy, Confusion{1, 1, 0, 2, 2}},
		{"least difference of rates, 1/6", s.EqualError, Confusion{2, 2, 1, 1, 1}},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.what, test.got, test.want)
		}
	}
	if s.Positives != 3 || s.Negatives != 2 {
		t.Errorf("%d positives, %d negatives", s.Positives, s.Negatives)
	}
}

func TestThresholdsBetweenAndBeyondTheDistances(t *testing.T) {
	c := workedExample(t)
	for _, want := range []Confusion{
		{math.Inf(-1), 0, 0, 3, 2}, {0.5, 0, 0, 3, 2}, {1, 1, 0, 2, 2}, {2.5, 2, 1, 1, 1}, {9, 3, 2, 0, 0}, {math.Inf(1), 3, 2, 0, 0},
	} {
		if got := c.At(want.Threshold); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if got := c.At(math.NaN()); got.Yes() != 0 {
		t.Errorf("NaN: got %+v, want no Yes", got)
	}
}

func TestOperatingPointsOfTheWorkedExample(t *testing.T) {
	c := workedExample(t)
	for text, want := range map[string]Confusion{
		"youden":        {1, 1, 0, 2, 2},
		"accuracy":      {1, 1, 0, 2, 2},
		"eer":           {2, 2, 1, 1, 1},
		"tpr=0.95":      {4, 3, 2, 0, 0},
		"tpr=0.5":       {2, 2, 1, 1, 1},
		"tpr=0.1":       {1, 1, 0, 2, 2},
		"tpr=1":         {4, 3, 2, 0, 0},
		"threshold=2.5": {2.5, 2, 1, 1, 1},
		"threshold=-7":  {-7, 0, 0, 3, 2},
	} {
		o, err := ParseOperatingPoint(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if o.String() != text {
			t.Errorf("%s is printed as %s", text, o)
		}
		if got := o.of(c, c.Summary()); got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}

// 19 of 20 is the nearest float64 to 0.95, so that the 20th is not needed.
func TestATruePositiveRateIsReachedExactly(t *testing.T) {
	positives := make([]float64, 20)
	for i := range positives {
		positives[i] = float64(i + 1)
	}
	c := curveOf(t, positives, []float64{5, 19.5, 30})
	if got := c.AtTruePositiveRate(0.95).Threshold; got != 19 {
		t.Errorf("threshold %v, want 19", got)
	}
	near(t, "FPR95", c.Summary().FPR95, 1./3)
	for rate, want := range map[float64]float64{0: math.Inf(-1), 1: 20, -0.01: math.NaN(), 1.01: math.NaN()} {
		if got := c.AtTruePositiveRate(rate).Threshold; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("rate %v: threshold %v, want %v", rate, got, want)
		}
	}
}

// Of equal differences of rates, -1 and 1, the smallest threshold decides.
func TestTheSmallestThresholdOfEqualErrorsIsTaken(t *testing.T) {
	c := curveOf(t, []float64{1}, []float64{1})
	if got := c.Summary().EqualError; got != (Confusion{math.Inf(-1), 0, 0, 1, 1}) {
		t.Errorf("%+v", got)
	}
	at, err := ParseOperatingPoint("threshold=2")
	if d, ok := at.Threshold(); err != nil || d != 2 || !ok {
		t.Errorf("%v, %v, %v", d, ok, err)
	}
	if s := NewSystem("s", c, at); s.Points != 2 || *s.At != (Confusion{2, 1, 1, 0, 0}) {
		t.Errorf("%+v, want two points", s)
	}
}

func TestFaultyOperatingPointsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"":               `operating point "", want youden, accuracy, eer, tpr=RATE or threshold=DISTANCE`,
		"best":           `operating point "best", want youden, accuracy, eer, tpr=RATE or threshold=DISTANCE`,
		"youden=1":       `operating point "youden=1", want youden, accuracy, eer, tpr=RATE or threshold=DISTANCE`,
		"tpr":            `operating point "tpr", want youden, accuracy, eer, tpr=RATE or threshold=DISTANCE`,
		"tpr=x":          `operating point "tpr=x": "x", want a finite number`,
		"tpr=0":          `operating point "tpr=0": 0, want a rate above 0 and at most 1`,
		"tpr=1.02":       `operating point "tpr=1.02": 1.02, want a rate above 0 and at most 1`,
		"threshold=NaN":  `operating point "threshold=NaN": "NaN", want a finite number`,
		"threshold=-Inf": `operating point "threshold=-Inf": "-Inf", want a finite number`,
		"threshold=":     `operating point "threshold=": "", want a finite number`,
	} {
		_, err := ParseOperatingPoint(text)
		must.Fail(t, err, want)
	}
}

func TestOperatingPointsThatDoNotExistHaveNoThreshold(t *testing.T) {
	for _, test := range []struct {
		o                    OperatingPoint
		positives, negatives []float64
	}{
		{OperatingPoint{rule: byYouden}, []float64{1}, nil},
		{OperatingPoint{rule: byEER}, nil, []float64{1}},
		{OperatingPoint{byTPR, 0.95}, nil, []float64{1}},
		{OperatingPoint{rule: byAccuracy}, nil, nil},
		{OperatingPoint{}, []float64{1}, []float64{2}},
	} {
		if s := NewSystem("s", curveOf(t, test.positives, test.negatives), test.o); s.At != nil {
			t.Errorf("%s: got %+v", test.o, s.At)
		}
	}
}

// A classifier that says No to everything is right about a single class of
// negatives; nothing else is known of it.
func TestFiguresThatNeedAMissingClassAreUndefined(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		what                                  string
		c                                     *Curve
		ap, trapezoid, interpolated, accuracy float64
		listed                                []string
	}{
		{"no samples", curveOf(t, nil, nil), nan, nan, nan, nan, nil},
		{"no positives", curveOf(t, nil, []float64{1, 2}), nan, nan, nan, 1, []string{"best_accuracy"}},
		{"no negatives", curveOf(t, []float64{1, 2}, nil), 1, 1, 1, 1,
			[]string{"average_precision", "pr_auc_trapezoid", "pr_auc_interpolated", "best_accuracy"}},
	} {
		s := test.c.Summary()
		for what, v := range map[string]float64{
			"AUC": s.ROCAUC, "EER": s.EER, "FPR95": s.FPR95, "J": s.Youden.YoudenJ(),
			"threshold of J": s.Youden.Threshold, "threshold of EER": s.EqualError.Threshold,
		} {
			near(t, test.what+": "+what, v, nan)
		}
		near(t, test.what+": AP", s.AveragePrecision, test.ap)
		near(t, test.what+": trapezoid", s.PRAUCTrapezoid, test.trapezoid)
		near(t, test.what+": interpolated", s.PRAUCInterpolated, test.interpolated)
		near(t, test.what+": accuracy", s.BestAccuracy.Accuracy(), test.accuracy)
		var listed []string
		for _, m := range s.Metrics("all", stats.NoInterval(), stats.NoInterval()) {
			listed = append(listed, m.Name)
		}
		if !slices.Equal(listed, test.listed) {
			t.Errorf("%s: listed are %q, want %q", test.what, listed, test.listed)
		}
	}
}
