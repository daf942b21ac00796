package rank

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12 {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// The positives 1, 2, 2, 3 and the negatives 2, 3, 4, 4, worked out on paper.
func TestTiesBetweenTheClassesAreResolvedAsAskedFor(t *testing.T) {
	c := Classes{[]float64{1, 2, 2, 3}, []float64{2, 3, 4, 4}}
	low, mid, high := c.AUC()
	near(t, "AUC, ties against", low, 3./4)
	near(t, "AUC, ties half", mid, 27./32)
	near(t, "AUC, ties for", high, 15./16)
	near(t, "step AP, positives first", StepAP(c.Ranks(true), 4), 19./20)
	near(t, "step AP, negatives first", StepAP(c.Ranks(false), 4), 37./48)
	near(t, "trapezoid AP, positives first", TrapezoidAP(c.Ranks(true), 4), 151./160)
	near(t, "trapezoid AP, negatives first", TrapezoidAP(c.Ranks(false), 4), 117./160)
	near(t, "grouped AP", c.GroupedAP(len(c.Positive)), 19./24)
}

func TestWithoutRelevantItemsTheAverageIsZero(t *testing.T) {
	if v := StepAP(nil, 0) + TrapezoidAP(nil, 0) + NewClasses(nil, nil).GroupedAP(0); v != 0 {
		t.Errorf("got %v", v)
	}
}

func TestItemsThatAreNeverRetrievedAddNothing(t *testing.T) {
	inf := math.Inf(1)
	d, rel := []float64{inf, 2, 1}, []bool{true, true, false}
	near(t, "step", StepAP(Ordered(d, rel), 2), (1./2)/2)
	near(t, "grouped", NewClasses(d, rel).GroupedAP(2), (1./2)/2)
	c := Classes{[]float64{2, inf}, []float64{1}}
	near(t, "step of classes", StepAP(c.Ranks(true), 2), (1./2)/2)
	// Of six pairs, 2 is nearer than 3 and inf; without a finite positive there is none.
	low, mid, high := Classes{[]float64{2, inf}, []float64{1, 3, inf}}.AUC()
	near(t, "AUC, ties against", low, 2./6)
	near(t, "AUC, ties half", mid, 2./6)
	near(t, "AUC, ties for", high, 2./6)
	_, mid, high = Classes{[]float64{inf, inf}, []float64{inf}}.AUC()
	near(t, "AUC of NaN only", mid+high, 0)
}
