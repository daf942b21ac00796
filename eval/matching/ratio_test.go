package matching

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func sweepOf(t *testing.T, records ...pairRecord) Sweep {
	a := newAccumulator(3)
	add(t, a, records...)
	return a.Result().Sweeps[0]
}

func TestTheRatioTestWorkedByHand(t *testing.T) {
	s := sweepOf(t,
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
	)
	if s.Scope != "all" || s.Correspondences != 5 || len(s.Points) != 51 {
		t.Fatalf("scope %s, %d correspondences, %d points", s.Scope, s.Correspondences, len(s.Points))
	}
	for i, p := range s.Points {
		want := RatioPoint{Ratio: float64(50+i) / 100, Accepted: 3, Correct: 1}
		switch {
		case i == 50:
			want.Accepted, want.Correct = 6, 3
		case i >= 31:
			want.Accepted, want.Correct = 5, 3
		case i >= 30:
			want.Accepted, want.Correct = 4, 2
		}
		want.Precision, want.Recall = float64(want.Correct)/float64(want.Accepted), float64(want.Correct)/5
		if p != want {
			t.Errorf("got %+v, want %+v", p, want)
		}
	}
	if s.Points[0].Ratio != 0.5 || s.Points[30].Ratio != 0.8 || s.Points[50].Ratio != 1 {
		t.Errorf("ratios %v … %v … %v", s.Points[0].Ratio, s.Points[30].Ratio, s.Points[50].Ratio)
	}
}

func TestAnInvalidCandidateIsNoCandidateOfTheRatioTest(t *testing.T) {
	r := pairOf("v_a", 2, 2, row{nearest: 1, truth: 1, d1: 1, d2: -1}, row{nearest: none, truth: 1, invalid: true})
	r.pair.InvalidK = 1
	s := sweepOf(t, r)
	if s.Correspondences != 0 || s.Points[50].Accepted != 0 || !math.IsNaN(s.Points[50].Recall) || !math.IsNaN(s.Points[50].Precision) {
		t.Errorf("%d correspondences, %+v", s.Correspondences, s.Points[50])
	}
}

func TestTheRatioTestIsThatOfEachThresholdAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawRecords(t)
		a := newAccumulator(3)
		add(t, a, records...)
		sweep := a.Result().Sweeps[0]
		for i, p := range sweep.Points {
			accepted, correct := 0, 0
			for _, r := range records {
				for _, q := range r.queries {
					// d1/d2 ≤ r without the division; the drawn distances are far
					// from the thresholds or exact quotients of hundredths.
					if q.Second < 0 || q.SecondDistance == 0 && i < 50 {
						continue
					}
					if q.NearestDistance <= p.Ratio*q.SecondDistance+1e-12 {
						accepted++
						if q.NearestError <= 3 {
							correct++
						}
					}
				}
			}
			if p.Accepted != accepted || p.Correct != correct {
				t.Fatalf("at %v: %d of %d correct, want %d of %d", p.Ratio, p.Correct, p.Accepted, correct, accepted)
			}
			if p.Recall > 1 || p.Precision > 1 || i > 0 && p.Recall < sweep.Points[i-1].Recall {
				t.Fatalf("%+v after %+v", p, sweep.Points[max(i, 1)-1])
			}
		}
	})
}
