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

// weightSigma is the σ of the weights: the default of DescriptorWorkbench's
// scale_weight_sigma. With this value, triangular weights are 0 for scales
// below e^-0.3 = 0.74 and above e^0.3 = 1.35. Gaussian weights are less than 1
// % of the weight of scale 1 below 0.63 and above 1.58.
const weightSigma = 0.15

// String returns the weighting's config name.
func (w Weighting) String() string {
	return [...]string{"uniform", "gaussian", "triangular", "list"}[w]
}

// MarshalText returns String, so that JSON contains the name.
func (w Weighting) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// weights returns the weights of the scales relative to each other, with weight 1 for
// scale 1 unless they are listed; nil: all equal. s and 1/s have equal weights.
//
// Source: DescriptorWorkbench, DomainSizePooling.cpp, weighting modes 0 to 2.
// Other code in that project ends the triangle at σ, or at |s-1| = σ.
func (p Pooling) weights() []float64 {
	switch p.Weights {
	case UniformWeights:
		return nil
	case ListedWeights:
		return p.WeightList
	}
	weights := make([]float64, len(p.Scales))
	for i, s := range p.Scales {
		distance := math.Abs(math.Log(s)) / weightSigma
		if p.Weights == GaussianWeights {
			weights[i] = math.Exp(-distance * distance / 2)
		} else {
			weights[i] = math.Max(0, 1-distance/2)
		}
	}
	return weights
}
