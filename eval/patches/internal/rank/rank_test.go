package rank

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
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
	near(t, "step AP, positives first", StepAP(c.PositivesFirst(), 4), 19./20)
	near(t, "step AP, negatives first", StepAP(c.NegativesFirst(), 4), 37./48)
	near(t, "trapezoid AP, positives first", TrapezoidAP(c.PositivesFirst(), 4), 151./160)
	near(t, "trapezoid AP, negatives first", TrapezoidAP(c.NegativesFirst(), 4), 117./160)
	near(t, "grouped AP", c.GroupedAP(len(c.Positive)), 19./24)
}

func TestADescriptorThatSeesNoDifferenceScoresLikeChance(t *testing.T) {
	c := Classes{[]float64{5, 5, 5}, []float64{5, 5, 5, 5, 5}}
	low, mid, high := c.AUC()
	near(t, "AUC, ties against", low, 0)
	near(t, "AUC, ties half", mid, 0.5)
	near(t, "AUC, ties for", high, 1)
	near(t, "grouped AP", c.GroupedAP(len(c.Positive)), 3./8)
}

func TestOneRelevantItemAtRankR(t *testing.T) {
	for r := 1; r <= 5; r++ {
		near(t, "step", StepAP(slices.Values([]int{r}), 1), 1/float64(r))
		want := 1.0
		if r > 1 {
			want = 1 / (2 * float64(r))
		}
		near(t, "trapezoid", TrapezoidAP(slices.Values([]int{r}), 1), want)
	}
}

func TestWithoutRelevantItemsTheAverageIsZero(t *testing.T) {
	if v := StepAP(slices.Values[[]int](nil), 0) + TrapezoidAP(slices.Values[[]int](nil), 0) + NewClasses(nil, nil).GroupedAP(0); v != 0 {
		t.Errorf("got %v", v)
	}
}

func TestItemsThatAreNeverRetrievedAddNothing(t *testing.T) {
	inf := math.Inf(1)
	d, rel := []float64{inf, 2, 1}, []bool{true, true, false}
	near(t, "step", StepAP(Ordered(d, rel), 2), (1./2)/2)
	near(t, "grouped", NewClasses(d, rel).GroupedAP(2), (1./2)/2)
	c := Classes{[]float64{2, inf}, []float64{1}}
	near(t, "step of classes", StepAP(c.PositivesFirst(), 2), (1./2)/2)
	// Of six pairs, 2 is nearer than 3 and inf; without a finite positive there is none.
	low, mid, high := Classes{[]float64{2, inf}, []float64{1, 3, inf}}.AUC()
	near(t, "AUC, ties against", low, 2./6)
	near(t, "AUC, ties half", mid, 2./6)
	near(t, "AUC, ties for", high, 2./6)
	_, mid, high = Classes{[]float64{inf, inf}, []float64{inf}}.AUC()
	near(t, "AUC of NaN only", mid+high, 0)
}

func TestEqualDistancesKeepTheOrderOfTheList(t *testing.T) {
	got := slices.Collect(Ordered([]float64{3, 1, 3, 1}, []bool{true, false, false, true}))
	if !slices.Equal(got, []int{2, 3}) {
		t.Errorf("got %v, want [2 3]", got)
	}
}

// By definition: the curve drawn point by point.
func TestAverageOfTiesGroupedIsThatOfTheCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		d, rel := make([]float64, n), make([]bool, n)
		p := 0
		for i := range d {
			d[i] = float64(rapid.IntRange(0, 6).Draw(t, "d"))
			if rel[i] = rapid.Bool().Draw(t, "relevant"); rel[i] {
				p++
			}
		}
		want, found, before := 0.0, 0, 0
		for threshold := 0.0; threshold <= 6; threshold++ {
			seen := 0
			found = 0
			for i := range d {
				if d[i] <= threshold {
					seen++
					if rel[i] {
						found++
					}
				}
			}
			if found > before {
				want += float64(found-before) / float64(p) * float64(found) / float64(seen)
			}
			before = found
		}
		if got := NewClasses(d, rel).GroupedAP(p); math.Abs(got-want) > 1e-12 {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
