package binary

import (
	"reflect"
	"testing"

	"descbench/eval/fact"
)

// spread returns n distances from first on, one apart.
func spread(n int, first float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = first + float64(i)
	}
	return out
}

func TestFactsSayWhatTheFiguresHide(t *testing.T) {
	for _, test := range []struct {
		what                 string
		positives, negatives []float64
		want                 []fact.Fact
	}{
		{"nothing", nil, nil, []fact.Fact{fact.New(fact.NoSamples)}},
		{"one class", nil, spread(20, 0), []fact.Fact{fact.New(fact.SingleClass).With("samples", 20).Naming("class", "positives")}},
		{"the other class", spread(3, 0), nil, []fact.Fact{fact.New(fact.SingleClass).With("samples", 3).Naming("class", "negatives")}},
		{"no fault", spread(10, 0), spread(990, 5), nil},
		{"few", spread(9, 0), spread(10, 5), []fact.Fact{fact.New(fact.FewSamples).With("positives", 9).With("negatives", 10)}},
		{"under one in a hundred", spread(10, 0), spread(991, 5), []fact.Fact{fact.New(fact.Skewed).Counting(10, 1001).With("share", 10./1001)}},
		{"exchanged labels", spread(10, 5), spread(10, 0), []fact.Fact{fact.New(fact.AUCBelowHalf).With("auc", 1./8)}},
		{"one distance", make([]float64, 10), make([]float64, 10), []fact.Fact{fact.New(fact.ConstantDistance).With("samples", 20)}},
	} {
		if got := curveOf(t, test.positives, test.negatives).Summary().Facts; !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v\nwant %v", test.what, got, test.want)
		}
	}
}

// Nine positives are few; of 20 and 20 samples, the one that says Yes to 5 positives and
// to 15 negatives has J = 5/20 - 15/20.
func TestASingleMatrixHasItsFacts(t *testing.T) {
	for _, test := range []struct {
		c    Confusion
		want []fact.Fact
	}{
		{Confusion{TP: 20, TN: 20}, nil},
		{Confusion{TP: 50, FN: 50, FP: 50, TN: 50}, nil}, // on the diagonal, not below it
		{Confusion{TP: 9, TN: 20}, []fact.Fact{fact.New(fact.FewSamples).With("positives", 9).With("negatives", 20)}},
		{Confusion{TP: 1, TN: 1}, []fact.Fact{fact.New(fact.FewSamples).With("positives", 1).With("negatives", 1)}},
		{Confusion{FP: 3, TN: 20}, []fact.Fact{fact.New(fact.SingleClass).With("samples", 23).Naming("class", "positives")}},
		{Confusion{TP: 5, FN: 15, FP: 15, TN: 5}, []fact.Fact{fact.New(fact.BelowDiagonal).With("j", -0.5)}},
		{Confusion{FN: 1, FP: 1}, []fact.Fact{fact.New(fact.FewSamples).With("positives", 1).With("negatives", 1), fact.New(fact.BelowDiagonal).With("j", -1)}},
	} {
		if got := test.c.Facts(); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%+v: got %v\nwant %v", test.c, got, test.want)
		}
	}
}
