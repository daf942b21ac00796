package descriptors

import (
	"fmt"
	"math"
)

// A Weighting names the weights that domain sizes have in a mean.
type Weighting uint8

const (
	// UniformWeights are all equal.
	UniformWeights Weighting = iota
	// GaussianWeights are exp(-½·(ln s / σ)²) for the scale s.
	GaussianWeights
	// TriangularWeights are max(0, 1 - |ln s| / 2σ) for the scale s.
	TriangularWeights
	// ListedWeights are given one by one.
	ListedWeights
)

// WeightSigma is the σ of weights by default: DescriptorWorkbench's
// scale_weight_sigma. With it, triangular weights are 0 for scales below
// e^-0.3 = 0.74 and above e^0.3 = 1.35, gaussian ones under 1 % of that of
// scale 1 below 0.63 and above 1.58.
const WeightSigma = 0.15

// String returns the name of the weighting in configs.
func (w Weighting) String() string {
	switch w {
	case UniformWeights:
		return "uniform"
	case GaussianWeights:
		return "gaussian"
	case TriangularWeights:
		return "triangular"
	case ListedWeights:
		return "list"
	}
	return fmt.Sprintf("Weighting(%d)", uint8(w))
}

// MarshalText returns String, so that JSON has the name.
func (w Weighting) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Weights returns the weights, other than listed ones, of the scales, which are
// positive, as Pooling takes them: relative to each other, that of scale 1 being 1. Uniform weights
// are nil. sigma, which is positive, is a spread of natural logarithms of
// scales, so that s and 1/s weigh the same; usually it is WeightSigma.
//
// Source: DescriptorWorkbench, DomainSizePooling.cpp, weighting modes 0 to 2.
// Other code there lets the triangle end at σ, or at |s-1| = σ.
func (w Weighting) Weights(scales []float64, sigma float64) []float64 {
	if w == UniformWeights {
		return nil
	}
	weights := make([]float64, len(scales))
	for i, s := range scales {
		distance := math.Abs(math.Log(s)) / sigma
		if w == GaussianWeights {
			weights[i] = math.Exp(-distance * distance / 2)
		} else {
			weights[i] = math.Max(0, 1-distance/2)
		}
	}
	return weights
}
