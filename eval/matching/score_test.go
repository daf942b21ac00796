package matching

import (
	"math"
	"testing"

	"descbench/eval/record"
)

func TestRatiosOfAllCandidatesOnPaper(t *testing.T) {
	// Candidates at 4, 2, 8 and an invalid one: the nearest is compared with the
	// second nearest, all others with the nearest.
	q := &record.Query{Nearest: 1, NearestDistance: 2, Second: 0, SecondDistance: 4}
	row := []float64{4, 2, 8, math.NaN()}
	ByRatio.All(q, nil, row)
	if row[0] != 2 || row[1] != 0.5 || row[2] != 4 || !math.IsNaN(row[3]) {
		t.Errorf("got %v, want [2 0.5 4 NaN]", row)
	}
	some := []float64{8, 2}
	ByRatio.All(q, []int32{2, 1}, some)
	if some[0] != 4 || some[1] != 0.5 {
		t.Errorf("got %v, want [4 0.5]", some)
	}
	if score, ok := ByRatio.Nearest(q); !ok || score != 0.5 {
		t.Errorf("got %v, %v, want 0.5", score, ok)
	}
	// Two candidates at distance 0 cannot be told apart; a third is infinitely worse.
	q = &record.Query{Nearest: 0, Second: 1}
	row = []float64{0, 0, 3}
	ByRatio.All(q, nil, row)
	if row[0] != 1 || row[1] != 1 || row[2] != math.MaxFloat64 {
		t.Errorf("got %v", row)
	}
	// A single candidate has nothing to be compared with.
	q = &record.Query{Nearest: 0, NearestDistance: 1, Second: -1}
	row = []float64{1}
	ByRatio.All(q, nil, row)
	if _, ok := ByRatio.Nearest(q); ok || !math.IsNaN(row[0]) {
		t.Errorf("got %v, want NaN", row)
	}
	if score, ok := ByDistance.Nearest(q); !ok || score != 1 {
		t.Errorf("got %v, want 1", score)
	}
}

func TestMatchersAreParsed(t *testing.T) {
	for text, want := range map[string]Matcher{
		"nearest":                {},
		"mutual":                 {CrossCheck: true},
		"mutual+ratio=0.8":       {CrossCheck: true, Ratio: 0.8},
		"distance=12+top=5":      {MaxDistance: 12, TopK: 5},
		"mutual+similarity=0.5":  {CrossCheck: true, MinSimilarity: 0.5},
		"ratio=1+top=2147483647": {Ratio: 1, TopK: math.MaxInt32},
	} {
		if got, err := ParseMatcher(text); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "ratio", "ratio=1.02", "top=2147483648", "ratio=0", "mutual=1", "top=2.5", "distance=NaN", "similarity=1.1", "mutual,ratio=0.8"} {
		if _, err := ParseMatcher(text); err == nil {
			t.Errorf("%s: want an error", text)
		}
	}
}
