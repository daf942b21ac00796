package descriptors

import "math"

// A Weighting names the weights of the domain sizes in a mean.
type Weighting uint8

const (
	// UniformWeights are all equal.
	UniformWeights Weighting = iota
	// GaussianWeights are exp(-½·(ln s / σ)²) for scale s.
	GaussianWeights
	// TriangularWeights are max(0, 1 - |ln s| / 2σ) for scale s.
	TriangularWeights
	// ListedWeights are given as a list of numbers.
	ListedWeights
)

// WeightSigma is the default σ of the weights: DescriptorWorkbench's
// scale_weight_sigma. With this value, triangular weights are 0 for scales
// below e^-0.3 = 0.74 and above e^0.3 = 1.35. Gaussian weights are less than 1
// % of the weight of scale 1 below 0.63 and above 1.58.
const WeightSigma = 0.15

// String returns the weighting's config name.
func (w Weighting) String() string {
	return [...]string{"uniform", "gaussian", "triangular", "list"}[w]
}

// MarshalText returns String, so that JSON contains the name.
func (w Weighting) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Weights returns the weights of the scales in the form that Pooling expects:
// relative to each other, with weight 1 for scale 1. Uniform weights are nil.
// It is not defined for ListedWeights.
// Scales must be positive. sigma, also positive, is a spread in natural
// logarithms of scales, so s and 1/s have equal weights; it is usually
// WeightSigma.
//
// Source: DescriptorWorkbench, DomainSizePooling.cpp, weighting modes 0 to 2.
// Other code in that project ends the triangle at σ, or at |s-1| = σ.
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
