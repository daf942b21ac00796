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
		coarse.Merge(fine)
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

// Of a negative at 0, two positives and three negatives between the edges, and a positive at 10: the two
// beat all three or none, 6 of 12 pairs. Their precision is at most 2/3, that of both before the three, and
// at least 1/5, that of the first behind them. Of two positives alone between edges, with a negative
// before, it is 1/2 to 2/3.
func TestErrorsOnPaper(t *testing.T) {
	b := NewBins(NewEdges([]float64{0, 10}))
	b.Add([]float64{0, 3, 4, 5, 6, 7, 10}, []int32{2, 3, 6})
	auc, ap := b.Errors()
	two := NewBins(NewEdges([]float64{0, 10}))
	two.Add([]float64{0, 4, 5}, []int32{1, 2})
	aucOfTwo, apOfTwo := two.Errors()
	for what, c := range map[string]struct{ got, want float64 }{
		"ROC AUC": {auc, 6. / 12}, "AP": {ap, 2 * (2./3 - 1./5) / 3}, "ROC AUC of two": {aucOfTwo, 0}, "AP of two": {apOfTwo, 2./3 - 1./2},
	} {
		if math.Abs(c.got-c.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", what, c.got, c.want)
		}
	}
}

// Edges in a crowd, too close for a table and too far apart.
func TestEdgesAreFoundAtAnyDistance(t *testing.T) {
	crowd := []float64{1e6}
	for i := range 100 {
		crowd = append(crowd, 1+float64(i)/1e9)
	}
	for _, at := range [][]float64{crowd, {0, 5e-324, 1e-323}, {-math.MaxFloat64, 0, math.MaxFloat64}} {
		e := NewEdges(at)
		for i, edge := range e.at {
			if got := e.bin(edge); got != 2*i+1 {
				t.Errorf("%v, edge %d of %d, is in bin %d", edge, i, len(e.at), got)
			}
			if got := e.bin(math.Nextafter(edge, math.Inf(-1))); got != 2*i && got != 2*i-1 {
				t.Errorf("below %v, edge %d of %d: bin %d", edge, i, len(e.at), got)
			}
		}
	}
}

// The finer bins know what is below their first edge, and coarser ones may have no edges.
func TestMergingKeepsWhatIsBeyondTheEdges(t *testing.T) {
	fine, coarse, none := NewBins(NewEdges([]float64{1, 2, 3})), NewBins(NewEdges([]float64{2})), NewBins(NewEdges(nil))
	fine.Add([]float64{0.5, 2.5, 3}, []int32{0})
	for _, b := range []*Bins{coarse, none} {
		b.Merge(fine)
	}
	one, both := NewBins(NewEdges([]float64{5})), NewBins(NewEdges(nil))
	one.Add([]float64{5}, nil)
	none.Merge(NewBins(NewEdges(nil)))
	if both.Merge(one); both.most != 5 {
		t.Fatal(both.most)
	}
	if !slices.Equal(coarse.positives, []int64{1, 0, 0}) || !slices.Equal(coarse.negatives, []int64{0, 0, 2}) || none.most != 3 || none.negatives[0] != 2 {
		t.Errorf("%+v and %+v", coarse, none)
	}
}
