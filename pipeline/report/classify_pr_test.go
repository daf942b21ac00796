package report

import (
	"math"
	"slices"
	"testing"

	"descbench/eval/binary"
	"descbench/pipeline/report/figure"
)

func curveOf(t *testing.T, positives, negatives []float64) (*binary.Curve, []binary.Confusion) {
	t.Helper()
	var s binary.Samples
	s.Add(true, positives...)
	s.Add(false, negatives...)
	c := s.Curve()
	return c, c.Thin(1000)
}

// On paper. Davis and Goadrich, section 4: 1 positive at the first distance, then 2 positives and 4
// negatives at once. Half way, 2 of 3 positives are found with 2 false ones: precision 2/4; a straight
// line would say 5/7. If a negative leads, precision starts at nothing.
func TestPrecisionMovesOnAHyperbolaBetweenTiedDistances(t *testing.T) {
	for _, test := range []struct {
		positives, negatives []float64
		want                 []figure.Point
	}{
		{[]float64{1, 2, 2}, []float64{2, 2, 2, 2}, []figure.Point{{X: 0, Y: 1}, {X: 1. / 3, Y: 1}, {X: 2. / 3, Y: 0.5}, {X: 1, Y: 3. / 7}}},
		{[]float64{2}, []float64{1, 3}, []figure.Point{{X: 0, Y: 0}, {X: 1, Y: 0.5}, {X: 1, Y: 1. / 3}}},
	} {
		_, curve := curveOf(t, test.positives, test.negatives)
		near := func(a, b figure.Point) bool { return math.Abs(a.X-b.X) < 1e-15 && math.Abs(a.Y-b.Y) < 1e-15 }
		if got := precisionRecall(curve); !slices.EqualFunc(got, test.want, near) {
			t.Errorf("got %v, want %v", got, test.want)
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
