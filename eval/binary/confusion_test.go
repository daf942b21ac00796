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
	c := Confusion{TP: 6, FP: 2, FN: 4, TN: 28}
	want := map[string]float64{
		"true_positive_rate": 6. / 10, "false_positive_rate": 2. / 30, "true_negative_rate": 28. / 30, "false_negative_rate": 4. / 10,
		"precision": 6. / 8, "accuracy": 34. / 40, "f1": 12. / 18, "youden_j": 6./10 - 2./30, "balanced_accuracy": (6./10 + 28./30) / 2,
		"matthews_correlation": (6*28 - 2*4) / math.Sqrt(8*32*10*30),
	}
	for _, r := range Ratios {
		near(t, r.Name, r.Of(c), want[r.Name])
	}
	if c.Positives() != 10 || c.Negatives() != 30 || c.Yes() != 8 || c.Total() != 40 || len(Ratios) != len(want) {
		t.Errorf("counts %d, %d, %d, %d of %d ratios", c.Positives(), c.Negatives(), c.Yes(), c.Total(), len(Ratios))
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
