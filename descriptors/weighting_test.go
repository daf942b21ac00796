package descriptors

import (
	"math"
	"testing"
)

func TestWeightsWorkedByHand(t *testing.T) {
	e := math.E
	for _, c := range []struct {
		weighting Weighting
		scale     float64
		sigma     float64
		want      float64
	}{
		{GaussianWeights, 1, 0.15, 1},
		{GaussianWeights, e, 1, 0.606530659712633}, // e^-½
		{GaussianWeights, 1 / e, 1, 0.606530659712633},
		{GaussianWeights, e * e, 1, 0.135335283236613}, // e^-2
		{GaussianWeights, e, 0.5, 0.135335283236613},
		// ln 0.85 = -0.1625189, ln 1.3 = 0.2623643
		{GaussianWeights, 0.85, 0.15, 0.55602},
		{GaussianWeights, 1.3, 0.15, 0.21661},
		{TriangularWeights, 1, 0.15, 1},
		{TriangularWeights, e, 1, 0.5},
		{TriangularWeights, 1 / e, 1, 0.5},
		{TriangularWeights, e * e * e, 1, 0},
		{TriangularWeights, 0.85, 0.15, 0.45827},
		{TriangularWeights, 1.3, 0.15, 0.12545},
		{TriangularWeights, 1.5, 0.15, 0},
	} {
		got := c.weighting.Weights([]float64{c.scale}, c.sigma)
		if len(got) != 1 || math.Abs(got[0]-c.want) > 1e-5 {
			t.Errorf("%v, scale %v, σ %v: got %v, want %v", c.weighting, c.scale, c.sigma, got, c.want)
		}
	}
	if got := UniformWeights.Weights([]float64{1, 2}, WeightSigma); got != nil {
		t.Errorf("uniform: got %v, want nil", got)
	}
	if got := GaussianWeights.Weights([]float64{1, math.E}, 1); len(got) != 2 || !(got[0] > got[1]) {
		t.Errorf("two scales: got %v, want 1 and e^-½ in this order", got)
	}
}
