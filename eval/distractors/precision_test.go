package distractors

import (
	"math"
	"testing"
)

func TestAveragePrecisionWorkedByHand(t *testing.T) {
	inf := math.Inf(1)
	for _, x := range []struct {
		name         string
		right, wrong []float64
		want         float64
	}{
		// The example in scikit-learn's documentation of
		// average_precision_score, y_true = [0, 0, 1, 1], y_scores = [0.1, 0.4,
		// 0.35, 0.8], with 1 - score for distance: (1 + 2/3) / 2.
		{"scikit-learn", []float64{0.65, 0.2}, []float64{0.9, 0.6}, 5. / 6},
		// At 1: 2 × 2/3; at 2: 1 × 3/5.
		{"ties", []float64{1, 2, 1}, []float64{2, 1}, 29. / 45},
		{"a constant descriptor is at chance", []float64{7, 7}, []float64{7, 7, 7, 7, 7, 7}, 2. / 8},
		{"perfect", []float64{1, 2}, []float64{3, 4}, 1},
		{"worst", []float64{9}, []float64{3, 4, 5}, 1. / 4},
		{"no negatives", []float64{9, 4}, nil, 1},
		// At 1: 1 × 1/2; at infinity: 1 × 2/4.
		{"infinite", []float64{inf, 1}, []float64{0.5, inf}, 1. / 2},
		{"infinite only", []float64{inf}, []float64{1, 2, inf}, 1. / 4},
		{"zero", []float64{0, 0}, []float64{0, 1}, 2. / 3},
		{"the smallest numbers", []float64{0, 5e-324}, []float64{5e-324}, 5. / 6},
		{"no positives", nil, []float64{1}, math.NaN()},
	} {
		if got := averagePrecision(x.right, x.wrong); !near(got, x.want) {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
}
