package report

import (
	"math"
	"testing"

	"descbench/eval/must"

	"descbench/eval/binary"
	"descbench/pipeline/report/figure"
)

func curveOf(t *testing.T, positives, negatives []float64) (*binary.Curve, []binary.Confusion) {
	t.Helper()
	var s binary.Samples
	s.Add(true, positives...)
	s.Add(false, negatives...)
	c, err := s.Curve()
	must.Do(t, err)
	return c, c.Thin(1000)
}

func TestPrecisionMovesOnAHyperbolaBetweenTiedDistances(t *testing.T) {
	// Davis and Goadrich, section 4, on paper: 1 positive at the first distance,
	// then 2 positives and 4 negatives at once. Half way, 2 of 3 positives are
	// found with 2 false ones: precision 2/4; a straight line would say 5/7.
	_, curve := curveOf(t, []float64{1, 2, 2}, []float64{2, 2, 2, 2})
	got := precisionRecall(curve)
	want := []figure.Point{{X: 0, Y: 1}, {X: 1. / 3, Y: 1}, {X: 2. / 3, Y: 0.5}, {X: 1, Y: 3. / 7}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if math.Abs(got[i].X-want[i].X) > 1e-15 || math.Abs(got[i].Y-want[i].Y) > 1e-15 {
			t.Errorf("point %d: got %v, want %v", i, got[i], want[i])
		}
	}
}

func TestPrecisionStartsAtNothingIfNegativesLead(t *testing.T) {
	_, curve := curveOf(t, []float64{2}, []float64{1, 3})
	got := precisionRecall(curve)
	want := []figure.Point{{X: 0, Y: 0}, {X: 1, Y: 0.5}, {X: 1, Y: 1. / 3}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("point %d: got %v, want %v", i, got[i], want[i])
		}
	}
}

func TestTheAreaUnderTheDrawnCurveIsTheInterpolatedOne(t *testing.T) {
	// Many ties: the trapezoids between the drawn points come near the area in
	// closed form.
	var positives, negatives []float64
	for i := range 4000 {
		positives = append(positives, float64(i*i%7))
		negatives = append(negatives, float64(i*i%11))
	}
	c, curve := curveOf(t, positives, negatives)
	points := precisionRecall(curve)
	area := 0.0
	for i := 1; i < len(points); i++ {
		area += (points[i].X - points[i-1].X) * (points[i].Y + points[i-1].Y) / 2
	}
	if want := c.Summary().PRAUCInterpolated; math.Abs(area-want) > 1e-4 {
		t.Errorf("got %v, want %v", area, want)
	}
}
