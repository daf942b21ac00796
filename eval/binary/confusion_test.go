package binary

import (
	"math"
	"slices"
	"testing"
)

// near compares figures; NaN equals NaN.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if got != want && math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestRatiosOfAConfusionMatrix(t *testing.T) {
	c := Confusion{TP: 6, FP: 2, FN: 4, TN: 8}
	near(t, "true positive rate", c.TruePositiveRate(), 6./10)
	near(t, "false positive rate", c.FalsePositiveRate(), 2./10)
	near(t, "true negative rate", c.TrueNegativeRate(), 8./10)
	near(t, "false negative rate", c.FalseNegativeRate(), 4./10)
	near(t, "accuracy", c.Accuracy(), 14./20)
	near(t, "precision", c.Precision(), 6./8)
	near(t, "Youden J", c.YoudenJ(), 4./10)
	near(t, "balanced accuracy", c.BalancedAccuracy(), 7./10)
	near(t, "F1", c.F1(), 2./3)
	near(t, "Matthews correlation", c.MatthewsCorrelation(), 1/math.Sqrt(6)) // (48-8)/√(8·12·10·10)
	if c.Positives() != 10 || c.Negatives() != 10 || c.Yes() != 8 || c.Total() != 20 {
		t.Errorf("counts %d, %d, %d, %d", c.Positives(), c.Negatives(), c.Yes(), c.Total())
	}
}

func TestRatiosWithAnEmptyDenominatorAreUndefined(t *testing.T) {
	for _, test := range []struct {
		what   string
		c      Confusion
		listed []string
	}{
		{"no samples", Confusion{}, nil},
		{"no positives", Confusion{FP: 1, TN: 3}, []string{"false_positive_rate", "true_negative_rate", "precision", "accuracy", "f1"}},
		{"no negatives", Confusion{TP: 1, FN: 3}, []string{"true_positive_rate", "false_negative_rate", "precision", "accuracy", "f1"}},
		{"no Yes", Confusion{FN: 1, TN: 3}, []string{
			"true_positive_rate", "false_positive_rate", "true_negative_rate", "false_negative_rate", "accuracy", "youden_j", "balanced_accuracy", "f1",
		}},
	} {
		var listed []string
		for _, r := range Ratios {
			if v := r.Of(test.c); !math.IsNaN(v) {
				listed = append(listed, r.Name)
			}
		}
		if !slices.Equal(listed, test.listed) {
			t.Errorf("%s: listed are %q, want %q", test.what, listed, test.listed)
		}
	}
	for what, v := range map[string]float64{
		"rate of no positives":  Confusion{FP: 1}.TruePositiveRate(),
		"rate of no negatives":  Confusion{TP: 1}.FalsePositiveRate(),
		"J of one class":        Confusion{TP: 1}.YoudenJ(),
		"precision of no Yes":   Confusion{TN: 1, FN: 1}.Precision(),
		"accuracy of nothing":   Confusion{}.Accuracy(),
		"correlation of no Yes": Confusion{TN: 1, FN: 1}.MatthewsCorrelation(),
	} {
		near(t, what, v, math.NaN())
	}
}

func TestRatiosAreQuotientsOfTheCountsOfPapers(t *testing.T) {
	c := Confusion{TP: 6, FP: 2, FN: 4, TN: 28}
	for name, n := range map[string][2]int64{
		"true_positive_rate": {6, 10}, "false_positive_rate": {2, 30}, "true_negative_rate": {28, 30}, "false_negative_rate": {4, 10},
		"precision": {6, 8}, "accuracy": {34, 40}, "f1": {12, 18},
	} {
		r := Ratios[slices.IndexFunc(Ratios, func(r Ratio) bool { return r.Name == name })]
		near(t, name, r.Of(c), float64(n[0])/float64(n[1]))
	}
}
