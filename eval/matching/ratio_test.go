package matching

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/scope"
)

// sweepOf returns precision and recall over all scenes at the given step of the sweep, with
// their numbers of accepted queries and correspondences; no value if a number is 0.
func sweepOf(t rapid.TB, step int, records ...pairRecord) (precision, recall scope.Metric) {
	a := newAccumulator(3)
	add(t, a, records...)
	for _, m := range a.Result().Sweeps {
		switch at := fmt.Sprintf("@%.2f", float64(50+step)/100); {
		case m.Scope == "all" && m.Name == "ratio_precision"+at:
			precision = m
		case m.Scope == "all" && m.Name == "ratio_recall"+at:
			recall = m
		}
	}
	return precision, recall
}

func TestTheRatioTestWorkedByHand(t *testing.T) {
	records := []pairRecord{
		pairOf("v_a", 2, 9,
			row{nearest: 1, truth: 1, d1: 4, d2: 8},                        // 0.50, correct
			row{nearest: 9, truth: none, d1: 1, d2: 4},                     // 0.25, wrong
			row{nearest: 3, truth: 2, d1: 8, d2: 10},                       // 0.80, correct at the tolerance
			row{nearest: 9, truth: 3, d1: 0, d2: 0},                        // 1, wrong, has a truth
			row{nearest: 0, truth: 0, d1: 0.801, d2: 1},                    // 0.81, correct
			row{nearest: none, truth: 1, invalid: true},                    // found by nobody, but there
			row{nearest: math.Nextafter(3, 4), truth: none, d1: 0, d2: 1}), // 0, wrong by a hair
		// One candidate: neither its correct match nor its invalid query counts.
		pairOf("v_b", 2, 1,
			row{nearest: 0, truth: 0, d1: 1, d2: -1}, row{nearest: none, truth: 1, invalid: true},
			row{nearest: none, truth: none, invalid: true}, row{nearest: none, truth: none, invalid: true},
			row{nearest: none, truth: none, invalid: true}, row{nearest: none, truth: none, invalid: true},
			row{nearest: none, truth: none, invalid: true}),
	}
	for step := range 51 {
		accepted, correct := 3, 1
		switch {
		case step == 50:
			accepted, correct = 6, 3
		case step >= 31:
			accepted, correct = 5, 3
		case step >= 30:
			accepted, correct = 4, 2
		}
		precision, recall := sweepOf(t, step, records...)
		if precision.N != accepted || precision.Value != float64(correct)/float64(accepted) || recall.N != 5 || recall.Value != float64(correct)/5 {
			t.Errorf("step %d: %+v, %+v, want %d of %d", step, precision, recall, correct, accepted)
		}
	}
}

func TestAnInvalidCandidateIsNoCandidateOfTheRatioTest(t *testing.T) {
	r := pairOf("v_a", 2, 2, row{nearest: 1, truth: 1, d1: 1, d2: -1}, row{nearest: none, truth: 1, invalid: true})
	r.pair.InvalidK = 1
	if precision, recall := sweepOf(t, 50, r); precision.N != 0 || recall.N != 0 {
		t.Errorf("%+v, %+v, want neither", precision, recall)
	}
}
