package descriptors

import (
	"math"
	"testing"
)

func TestWeightsWorkedByHand(t *testing.T) {
	for _, c := range []struct {
		weighting Weighting
		scale     float64
		want      float64
	}{
		{GaussianWeights, 1, 1},
		{GaussianWeights, math.Exp(0.15), 0.606530659712633}, // e^-½
		{GaussianWeights, math.Exp(-0.15), 0.606530659712633},
		{GaussianWeights, math.Exp(0.3), 0.135335283236613}, // e^-2
		// ln 0.85 = -0.1625189, ln 1.3 = 0.2623643
		{GaussianWeights, 0.85, 0.55602},
		{GaussianWeights, 1.3, 0.21661},
		{TriangularWeights, 1, 1},
		{TriangularWeights, math.Exp(0.15), 0.5},
		{TriangularWeights, math.Exp(-0.15), 0.5},
		{TriangularWeights, 0.85, 0.45827},
		{TriangularWeights, 1.3, 0.12545},
		{TriangularWeights, 1.5, 0},
	} {
		got := Pooling{Scales: []float64{c.scale}, Weights: c.weighting}.weights()
		if len(got) != 1 || math.Abs(got[0]-c.want) > 1e-5 {
			t.Errorf("%v, scale %v: got %v, want %v", c.weighting, c.scale, got, c.want)
		}
	}
	if got := (Pooling{Scales: []float64{1, 2}}).weights(); got != nil {
		t.Errorf("uniform: got %v, want nil", got)
	}
	if got := (Pooling{Scales: []float64{1, math.E}, Weights: GaussianWeights}).weights(); len(got) != 2 || !(got[0] > got[1]) {
		t.Errorf("two scales: got %v, want 1 and less in this order", got)
	}
}
