package binary

import (
	"reflect"
	"testing"

	"descbench/eval/scope"
)

// spread returns n distances from first on, one apart.
func spread(n int, first float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = first + float64(i)
	}
	return out
}

func TestWarningsSayWhatTheFiguresHide(t *testing.T) {
	for _, test := range []struct {
		what                 string
		positives, negatives []float64
		want                 []scope.Warning
	}{
		{"nothing", nil, nil, []scope.Warning{
			{Kind: "no-samples", Text: "no samples; all metrics are undefined"},
		}},
		{"one class", nil, spread(20, 0), []scope.Warning{
			{Kind: "single-class", Text: "no positives among 20 samples; metrics that need positives are undefined"},
		}},
		{"the other class", spread(3, 0), nil, []scope.Warning{
			{Kind: "single-class", Text: "no negatives among 3 samples; metrics that need negatives are undefined"},
		}},
		{"no fault", spread(10, 0), spread(990, 5), nil},
		{"few", spread(9, 0), spread(10, 5), []scope.Warning{
			{Kind: "few-samples", Text: "9 positives and 10 negatives; metrics from so few samples are unreliable"},
		}},
		{"under one in a hundred", spread(10, 0), spread(991, 5), []scope.Warning{
			{Kind: "skewed", Text: "only 1 % of the samples are positive (10 of 1001): the ROC curve looks too optimistic; use precision and recall (Fawcett 2006; Davis & Goadrich 2006)"},
		}},
		{"exchanged labels", spread(10, 5), spread(10, 0), []scope.Warning{
			{Kind: "auc-below-half", Text: "the area under the ROC curve is 0.1250, worse than chance: labels may be swapped, or larger values may be the more similar ones"},
		}},
		{"one distance", make([]float64, 10), make([]float64, 10), []scope.Warning{
			{Kind: "constant-distance", Text: "all 20 distances are equal; the classes cannot be separated"},
		}},
	} {
		if got := curveOf(t, test.positives, test.negatives).Summary().Warnings; !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %q\nwant %q", test.what, got, test.want)
		}
	}
}

// Nine positives are few; of 20 and 20 samples, the one that says Yes to 5 positives and
// to 15 negatives has J = 5/20 - 15/20.
func TestASingleMatrixHasItsWarnings(t *testing.T) {
	for _, test := range []struct {
		c    Confusion
		want []scope.Warning
	}{
		{Confusion{TP: 20, TN: 20}, nil},
		{Confusion{TP: 50, FN: 50, FP: 50, TN: 50}, nil}, // on the diagonal, not below it
		{Confusion{TP: 9, TN: 20}, []scope.Warning{{Kind: "few-samples", Text: "9 positives and 20 negatives; metrics from so few samples are unreliable"}}},
		{Confusion{FP: 3, TN: 20}, []scope.Warning{{Kind: "single-class", Text: "no positives among 23 samples; metrics that need positives are undefined"}}},
		{Confusion{TP: 5, FN: 15, FP: 15, TN: 5}, []scope.Warning{
			{Kind: "below-diagonal", Text: "Youden's J is -0.5000, below the diagonal of the ROC graph and worse than chance: the labels, or Yes and No, may be swapped"},
		}},
	} {
		if got := test.c.Warnings(); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%+v: got %q\nwant %q", test.c, got, test.want)
		}
	}
}

func TestOneSampleOfEachClassIsBoth(t *testing.T) {
	for n, want := range map[[2]int64]bool{{1, 1}: true, {0, 1}: false, {1, 0}: false} {
		if _, both := warningsOfSamples(n[0], n[1]); both != want {
			t.Errorf("%v: both %v", n, both)
		}
	}
}
