package binary

import (
	"math"
	"slices"
	"testing"
)

func TestThinnedEdgesAreEvenlySpacedWithBothEnds(t *testing.T) {
	var all []float64
	for i := range 11 {
		all = append(all, float64(i))
	}
	for n, want := range map[int][]float64{2: {0, 10}, 3: {0, 5, 10}, 6: {0, 2, 4, 6, 8, 10}, 11: all, 12: all} {
		if got := NewEdges(slices.Clone(all)).Thin(n).at; !slices.Equal(got, want) {
			t.Errorf("%d of 11 edges are %v, want %v", n, got, want)
		}
	}
}

// Positives at 1 and 4, negatives at 2, 3, 5 and 6, and a distance that is not defined.
func TestCoarserBinsKnowTheLargestDistanceAndWhatIsUndefined(t *testing.T) {
	distances, positives := []float64{1, 4, 2, 3, 5, 6, math.NaN()}, []int32{0, 1}
	fine, coarse, counted := NewBins(NewEdges([]float64{1, 2, 3, 4, 5, 6})), NewBins(NewEdges([]float64{1, 4})), NewBins(NewEdges([]float64{1, 4}))
	fine.Add(distances, positives)
	counted.Add(distances, positives)
	for range 2 {
		if err := coarse.Merge(fine); err != nil {
			t.Fatal(err)
		}
	}
	if coarse.Undefined() != 2 {
		t.Errorf("%d undefined, want 1 twice", coarse.Undefined())
	}
	var got, want []float64
	for p := range coarse.Curve().Points() {
		got = append(got, p.Threshold)
	}
	for p := range counted.Curve().Points() {
		want = append(want, p.Threshold)
	}
	if !slices.Equal(got, want) || want[len(want)-1] != 6 {
		t.Errorf("points at %v, want %v, up to 6", got, want)
	}
	// A threshold that is an edge belongs to the distances up to it.
	curve := counted.Curve()
	for threshold, want := range map[float64][4]int64{0.5: {0, 0, 2, 4}, 1: {1, 0, 1, 4}, 4: {2, 2, 0, 2}, 6: {2, 4, 0, 0}} {
		if c := curve.At(threshold); [4]int64{c.TP, c.FP, c.FN, c.TN} != want {
			t.Errorf("at %v: %+v, want TP, FP, FN, TN of %v", threshold, c, want)
		}
	}
}

func TestAreasSayHowExactTheyAre(t *testing.T) {
	for want, a := range map[string]AllPairs{
		"exact": {ROCAUC: Uncertainty{0.5, 0.5}, AveragePrecision: Uncertainty{0.25, 0.25}},
		"error of ROC AUC below 0, of AP below 0.5":   {AveragePrecision: Uncertainty{0.25, 0.75}},
		"error of ROC AUC below 0.5, of AP below 0":   {ROCAUC: Uncertainty{0.25, 0.75}},
		"error of ROC AUC below 0.5, of AP below 0.1": {ROCAUC: Uncertainty{0.25, 0.75}, AveragePrecision: Uncertainty{0, 0.125}},
	} {
		if got := a.Precision(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAMatrixOnTheDiagonalIsNotBelowIt(t *testing.T) {
	for _, w := range (Confusion{TP: 50, FN: 50, FP: 50, TN: 50}).Warnings() {
		t.Errorf("warned of %s", w.Kind)
	}
}
